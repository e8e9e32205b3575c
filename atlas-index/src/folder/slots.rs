//! Which channels are open.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use atlas_core::model::ChannelId;

use super::slot::{Site, Slot};

/// The open channels, few at a time.
#[derive(Debug)]
pub(super) struct Slots {
    most: usize,
    open: Mutex<Open>,
}

#[derive(Debug, Default)]
struct Open {
    /// Each with the turn in which it was used last.
    slots: BTreeMap<ChannelId, (u64, Arc<Slot>)>,
    turn: u64,
}

impl Slots {
    pub(super) fn new(most: usize) -> Self {
        Self {
            most: most.max(1),
            open: Mutex::default(),
        }
    }

    /// The slot of a channel, the same for all who use it at a time.
    pub(super) fn of(&self, channel: &ChannelId, site: &Arc<Site>) -> Arc<Slot> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.turn = open.turn.saturating_add(1);
        let turn = open.turn;
        if let Some((used, slot)) = open.slots.get_mut(channel) {
            *used = turn;
            return Arc::clone(slot);
        }
        let slot = Arc::new(Slot::new(channel.clone(), Arc::clone(site)));
        open.slots
            .insert(channel.clone(), (turn, Arc::clone(&slot)));
        open.close_surplus(self.most);
        slot
    }

    /// Closes channels that a search across more than may stay open has opened.
    pub(super) fn close_surplus(&self) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.close_surplus(self.most);
    }

    #[cfg(test)]
    pub(super) fn n_open(&self) -> usize {
        self.open
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .slots
            .len()
    }
}

impl Open {
    /// Closes what nobody is using and was used least recently.
    fn close_surplus(&mut self, most: usize) {
        let n_surplus = self.slots.len().saturating_sub(most);
        if n_surplus == 0 {
            return;
        }
        let mut idle: Vec<(u64, ChannelId)> = self
            .slots
            .iter()
            .filter(|(_, (_, slot))| Arc::strong_count(slot) == 1)
            .map(|(channel, (used, _))| (*used, channel.clone()))
            .collect();
        idle.sort_unstable();
        for (_, channel) in idle.into_iter().take(n_surplus) {
            self.slots.remove(&channel);
        }
    }
}
