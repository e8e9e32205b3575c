//! The adapter against an endpoint of the test's own, on loopback.

#[cfg(test)]
mod asked;
#[cfg(test)]
mod conformance;
#[cfg(test)]
mod embedding;
#[cfg(test)]
mod faults;
#[cfg(test)]
mod negotiation;
#[cfg(test)]
mod recorded;
#[cfg(test)]
mod timeouts;
#[cfg(test)]
mod ways;
