//! Which index is tested.

use atlas_index::MemoryFactIndex;

pub(crate) type Index = MemoryFactIndex;

pub(crate) fn index() -> Index {
    MemoryFactIndex::new(super::setup::space())
}
