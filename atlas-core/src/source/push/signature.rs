//! Who sent it: an HMAC-SHA256 over the time and the raw body.

use std::time::Duration;

use hmac::{Hmac, KeyInit, Mac};
use secrecy::{ExposeSecret, SecretString};
use sha2::Sha256;
use wildmatch::WildMatch;

use super::event::PushRefusal;
use crate::model::{ChannelId, SourceId, Timestamp};

/// How far the time of a signature may be from now, either way, both ends included.
pub const TOLERANCE: Duration = Duration::from_mins(5);

/// A secret that a source signs with. Printing it shows nothing of it.
#[derive(Clone, Debug)]
pub struct SigningSecret {
    /// The secret.
    pub secret: SecretString,
    /// The instant from which it no longer counts; none for the one that is in use. While a secret
    /// is rotated, the old one and the new one both count.
    pub until: Option<Timestamp>,
}

/// A source that may push.
#[derive(Clone, Debug)]
pub struct PushSource {
    /// Its id, which every message that it pushes carries.
    pub id: SourceId,
    /// Its secrets; one of them has to fit.
    pub secrets: Vec<SigningSecret>,
    /// The channels that it may push to, with `*` and `?` as wildcards; none lets it push nowhere.
    pub channels: Vec<String>,
}

impl PushSource {
    /// Whether it may push to the channel.
    pub fn may_push_to(&self, channel: &ChannelId) -> bool {
        let patterns = self.channels.iter();
        patterns
            .map(|it| WildMatch::new(it))
            .any(|it| it.matches(channel.as_str()))
    }
}

fn mac(secret: &str, time: &str, body: &[u8]) -> Option<Hmac<Sha256>> {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).ok()?;
    mac.update(time.as_bytes());
    mac.update(b".");
    mac.update(body);
    Some(mac)
}

/// The header of a body that is sent at the instant: `t=<seconds since 1970>,v1=<hexadecimal>`.
pub fn sign(secret: &SecretString, at: Timestamp, body: &[u8]) -> String {
    let time = at.as_micros().div_euclid(1_000_000).to_string();
    let mac = mac(secret.expose_secret(), &time, body);
    let code = mac.map(|it| hex::encode(it.finalize().into_bytes()));
    format!("t={time},v1={}", code.unwrap_or_default())
}

/// Checks that one of the source's secrets signed the body, within [`TOLERANCE`] of now.
///
/// Codes are compared in constant time, and one is computed for a source that is not known too.
///
/// # Errors
///
/// [`PushRefusal::Unauthenticated`] for a source that is not known, a header that is none, another
/// time or another code: whoever asks cannot tell which.
pub fn verify(
    source: Option<&PushSource>,
    header: &str,
    body: &[u8],
    now: Timestamp,
) -> Result<(), PushRefusal> {
    let refused = Err(PushRefusal::Unauthenticated);
    let Some((time, code)) = parse(header) else {
        return refused;
    };
    let Some(at) = time
        .parse::<i64>()
        .ok()
        .and_then(|it| it.checked_mul(1_000_000))
    else {
        return refused;
    };
    let is_timely = u128::from(at.abs_diff(now.as_micros())) <= TOLERANCE.as_micros();
    // For a source that is not known the code is computed too, with a secret that never counts.
    let nobody = [SigningSecret {
        secret: SecretString::from(""),
        until: Some(Timestamp::MIN),
    }];
    let secrets = source.map_or(&nobody[..], |it| &it.secrets);
    let mut is_signed = false;
    for secret in secrets {
        let counts = secret.until.is_none_or(|until| now < until);
        let fits = mac(secret.secret.expose_secret(), time, body)
            .is_some_and(|it| it.verify_slice(&code).is_ok());
        is_signed |= fits && counts;
    }
    if is_timely && is_signed {
        Ok(())
    } else {
        refused
    }
}

/// The time as it was written, and the code.
fn parse(header: &str) -> Option<(&str, Vec<u8>)> {
    let (time, code) = header.trim().split_once(',')?;
    let time = time.trim().strip_prefix("t=")?;
    let is_number = !time.is_empty() && time.bytes().all(|it| it.is_ascii_digit());
    let code = hex::decode(code.trim().strip_prefix("v1=")?).ok()?;
    is_number.then_some((time, code))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BODY: &[u8] = b"{\"channel_id\":\"c\",\"events\":[]}";

    fn at(seconds: i64, micros: i64) -> Timestamp {
        Timestamp::from_micros(seconds * 1_000_000 + micros).unwrap()
    }

    fn secret(text: &str, until: Option<Timestamp>) -> SigningSecret {
        SigningSecret {
            secret: SecretString::from(text),
            until,
        }
    }

    fn source(secrets: Vec<SigningSecret>) -> PushSource {
        PushSource {
            id: SourceId::new("s"),
            secrets,
            channels: vec!["team-*".to_owned()],
        }
    }

    #[test]
    fn the_code_is_that_of_the_standard() {
        // RFC 4231, test case 2.
        let mac = Hmac::<Sha256>::new_from_slice(b"Jefe").unwrap();
        let mac = mac.chain_update(b"what do ya want for nothing?");
        let code = hex::encode(mac.finalize().into_bytes());
        assert_eq!(
            code,
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        );
        let whole = Hmac::<Sha256>::new_from_slice(b"k")
            .unwrap()
            .chain_update([b"10.", BODY].concat());
        let expected = format!("t=10,v1={}", hex::encode(whole.finalize().into_bytes()));
        assert_eq!(
            sign(&SecretString::from("k"), at(10, 999_999), BODY),
            expected
        );
    }

    #[test]
    fn the_time_counts_to_the_second_at_both_ends() {
        let source = source(vec![secret("k", None)]);
        let header = sign(&SecretString::from("k"), at(1_000, 0), BODY);
        let rows = [
            (at(700, 0), true),
            (at(699, 999_999), false),
            (at(1_000, 0), true),
            (at(1_300, 0), true),
            (at(1_300, 1), false),
        ];
        for (now, passes) in rows {
            assert_eq!(
                verify(Some(&source), &header, BODY, now).is_ok(),
                passes,
                "{now}"
            );
        }
    }

    #[test]
    fn both_secrets_count_while_one_is_rotated() {
        let source = source(vec![secret("old", Some(at(1_100, 0))), secret("new", None)]);
        for (key, now, passes) in [
            ("old", at(1_099, 999_999), true),
            ("old", at(1_100, 0), false),
            ("new", at(1_099, 0), true),
            ("new", at(1_100, 0), true),
            ("other", at(1_000, 0), false),
        ] {
            let header = sign(&SecretString::from(key), at(1_000, 0), BODY);
            assert_eq!(
                verify(Some(&source), &header, BODY, now).is_ok(),
                passes,
                "{key} {now}"
            );
        }
    }

    #[test]
    fn whatever_is_wrong_the_answer_is_the_same() {
        let known = source(vec![secret("k", None)]);
        let good = sign(&SecretString::from("k"), at(1_000, 0), BODY);
        let empty = sign(&SecretString::from(""), at(1_000, 0), BODY);
        let short = good.get(..good.len() - 2).unwrap();
        let rows = [
            (None, good.as_str()),
            (None, empty.as_str()),
            (Some(&known), ""),
            (Some(&known), "t=1000"),
            (Some(&known), "t=,v1=00"),
            (Some(&known), "t=+1000,v1=00"),
            (Some(&known), "t=99999999999999999999,v1=00"),
            (Some(&known), "t=1000,v1=zz"),
            (Some(&known), "t=1000,v1="),
            (Some(&known), short),
            (Some(&known), empty.as_str()),
        ];
        for (source, header) in rows {
            let answer = verify(source, header, BODY, at(1_000, 0));
            assert_eq!(answer, Err(PushRefusal::Unauthenticated), "{header}");
        }
        assert!(verify(Some(&known), &good, b"another body", at(1_000, 0)).is_err());
        assert!(verify(Some(&known), &good, BODY, at(1_000, 0)).is_ok());
        assert!(!format!("{:?}", source(vec![secret("hunter2", None)])).contains("hunter2"));
    }

    #[test]
    fn a_pattern_covers_the_whole_name() {
        let source = source(Vec::new());
        for (channel, may) in [
            ("team-a", true),
            ("team-", true),
            ("my-team-a", false),
            ("team", false),
        ] {
            assert_eq!(
                source.may_push_to(&ChannelId::new(channel)),
                may,
                "{channel}"
            );
        }
    }
}
