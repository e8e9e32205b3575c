//! Who may look where: scopes, principals and the one place that makes them.

use std::collections::BTreeSet;
use std::sync::Arc;

use async_trait::async_trait;

use crate::error::{Error, ErrorKind, Result};
use crate::model::{ChannelId, PrincipalId};

/// One channel: what every write and every read of a single channel takes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChannelScope(ChannelId);

impl ChannelScope {
    /// The scope of one channel.
    pub fn new(channel: ChannelId) -> Self {
        Self(channel)
    }

    /// The channel.
    pub fn channel(&self) -> &ChannelId {
        &self.0
    }
}

/// A set of channels that may be read together, never empty.
///
/// It is made from one [`ChannelScope`], or by [`Authorizer::scope`] for a principal; there is no
/// other way, and no scope that means "everything".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    channels: BTreeSet<ChannelId>,
    principal: Option<PrincipalId>,
}

impl Scope {
    /// The channels, in order.
    pub fn channels(&self) -> impl Iterator<Item = &ChannelId> {
        self.channels.iter()
    }

    /// Whether the channel is in it.
    pub fn contains(&self, channel: &ChannelId) -> bool {
        self.channels.contains(channel)
    }

    /// Who reads, where a principal asked.
    pub fn principal(&self) -> Option<&PrincipalId> {
        self.principal.as_ref()
    }
}

impl From<&ChannelScope> for Scope {
    fn from(scope: &ChannelScope) -> Self {
        Self {
            channels: BTreeSet::from([scope.0.clone()]),
            principal: None,
        }
    }
}

/// A user whose identity the [`Authorizer`] has taken; nothing else makes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Principal(PrincipalId);

impl Principal {
    /// Whose identity it is.
    pub fn id(&self) -> &PrincipalId {
        &self.0
    }
}

/// What somebody wants to do with a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Access {
    /// Read what is known.
    Read,
    /// Add messages, judge, curate.
    Write,
    /// Change settings, reset, rebuild.
    Admin,
    /// Forget and purge.
    Delete,
}

impl Access {
    /// The accesses that holding this one brings along.
    ///
    /// Delete, write and admin imply read; nothing implies delete.
    pub fn implies(self, other: Self) -> bool {
        self == other || other == Self::Read || (self == Self::Admin && other == Self::Write)
    }
}

/// The rule of an application on who may do what.
#[async_trait]
pub trait AccessPolicy: Send + Sync {
    /// The accesses that the user holds on the channel; none for a channel that the user may not
    /// know of.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Unavailable`] if the rule cannot be looked up: nobody is let in then.
    async fn held(&self, user: &PrincipalId, channel: &ChannelId) -> Result<Vec<Access>>;
}

/// A policy that lets everybody do everything. It is a choice that has to be named.
#[derive(Clone, Copy, Debug, Default)]
pub struct AllowAll;

#[async_trait]
impl AccessPolicy for AllowAll {
    async fn held(&self, _user: &PrincipalId, _channel: &ChannelId) -> Result<Vec<Access>> {
        Ok(vec![
            Access::Read,
            Access::Write,
            Access::Admin,
            Access::Delete,
        ])
    }
}

/// A policy that lets nobody do anything: the default.
#[derive(Clone, Copy, Debug, Default)]
pub struct DenyAll;

#[async_trait]
impl AccessPolicy for DenyAll {
    async fn held(&self, _user: &PrincipalId, _channel: &ChannelId) -> Result<Vec<Access>> {
        Ok(Vec::new())
    }
}

/// The only maker of [`Principal`]s and of [`Scope`]s over several channels.
#[derive(Clone)]
pub struct Authorizer {
    policy: Arc<dyn AccessPolicy>,
}

impl std::fmt::Debug for Authorizer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Authorizer").finish_non_exhaustive()
    }
}

impl Default for Authorizer {
    fn default() -> Self {
        Self::new(DenyAll)
    }
}

impl Authorizer {
    /// An authorizer that asks the policy.
    pub fn new(policy: impl AccessPolicy + 'static) -> Self {
        Self {
            policy: Arc::new(policy),
        }
    }

    /// Takes the identity of a user whom the application has authenticated.
    pub fn principal(&self, user: PrincipalId) -> Principal {
        Principal(user)
    }

    /// The scope in which the principal may do that in all of the channels.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Invalid`] for no channel; [`ErrorKind::Denied`] if one of them is not
    /// permitted, without saying which; what the policy fails with.
    pub async fn scope(
        &self,
        principal: &Principal,
        channels: &[ChannelId],
        access: Access,
    ) -> Result<Scope> {
        const OP: &str = "Authorizer::scope";
        if channels.is_empty() {
            return Err(Error::new(ErrorKind::Invalid, OP, "no channel is named"));
        }
        for channel in channels {
            let held = self.policy.held(principal.id(), channel).await?;
            if !held.into_iter().any(|held| held.implies(access)) {
                return Err(Error::new(ErrorKind::Denied, OP, "not permitted")
                    .with("principal", principal.id()));
            }
        }
        Ok(Scope {
            channels: channels.iter().cloned().collect(),
            principal: Some(principal.id().clone()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scope(authorizer: &Authorizer, channels: &[&str]) -> Result<Scope> {
        let channels: Vec<ChannelId> = channels.iter().map(|c| ChannelId::new(*c)).collect();
        let user = authorizer.principal(PrincipalId::new("u"));
        futures::executor::block_on(authorizer.scope(&user, &channels, Access::Read))
    }

    #[test]
    fn nobody_gets_in_by_default() {
        let denied = scope(&Authorizer::default(), &["a"]).unwrap_err();
        assert_eq!(denied.kind(), ErrorKind::Denied);
        assert!(!denied.to_string().contains("channel"));
    }

    #[test]
    fn no_channel_is_not_every_channel() {
        let invalid = scope(&Authorizer::new(AllowAll), &[]).unwrap_err();
        assert_eq!(invalid.kind(), ErrorKind::Invalid);
    }

    #[test]
    fn delete_implies_read_and_nothing_implies_delete() {
        assert!(Access::Delete.implies(Access::Read));
        for other in [Access::Read, Access::Write, Access::Admin] {
            assert!(!other.implies(Access::Delete));
        }
    }
}
