//! The provider and the embedder, through the doors that their users take.

#[cfg(test)]
mod comparing;
#[cfg(test)]
mod conformance;
#[cfg(test)]
mod conversation;
#[cfg(test)]
mod embedding;
#[cfg(test)]
mod facts;
#[cfg(test)]
mod names;
#[cfg(test)]
mod soundness;
#[cfg(test)]
mod writing;
