//! Kills processes that keep an Atlas in a folder, and shows that nothing is lost.
//!
//! | module | what it is |
//! |---|---|
//! | [`ops`], [`talk`], [`history`] | the table of operations, what is said, and logs drawn from both |
//! | [`world`], [`state`], [`answers`], [`verify`] | an Atlas, and what it holds in a form that can be compared |
//! | [`wire`], [`child`], [`limit`] | the process that is killed |
//! | [`worker`], [`pace`], [`aim`] | its parent's hold on it, and where the kills fall |
//! | [`truth`], [`compare`] | the unbroken run in memory, and the comparison with it |
//! | [`kills`], [`report`] | the run with kills and what is printed of it |
//! | [`power_cut`] | copies of a folder whose unsynced ends are cut off |
//! | [`disk`] | a disk that is full |
//! | [`together`] | several processes in one folder |

pub mod aim;
pub mod answers;
pub mod child;
pub mod compare;
pub mod disk;
pub mod history;
pub mod kills;
pub mod limit;
pub mod ops;
pub mod pace;
pub mod power_cut;
pub mod report;
pub mod state;
pub mod talk;
pub mod together;
pub mod truth;
pub mod verify;
pub mod wire;
pub mod worker;
pub mod world;
