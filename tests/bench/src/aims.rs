//! Figures beside what is aimed at. An aim that is missed is told, and fails nothing.

use crate::figures::{Figures, Way, per};

/// Times the raw floor that writing in bulk may take.
const BULK_TIMES: f64 = 3.0;
/// Milliseconds of a hybrid search, p95, over the most facts of one channel.
const HYBRID_MS: f64 = 5.0;
/// Facts that the aim of a hybrid search speaks of.
const HYBRID_FACTS: usize = 100_000;
/// Times a hybrid search may take among neighbours of what it takes alone: what two processes
/// differ by anyway.
const NEIGHBOURS_TIMES: f64 = 1.25;
/// Milliseconds from opening to the first answer.
const FIRST_ANSWER_MS: f64 = 200.0;
/// Times the bare scan of bytes that the dense leg may take.
const SCAN_TIMES: f64 = 1.3;

/// An aim with what was measured.
#[derive(Clone, Debug, PartialEq)]
struct Aim {
    what: String,
    measured: f64,
    at_most: f64,
    unit: &'static str,
}

impl Aim {
    fn told(&self) -> String {
        let Self {
            what,
            measured,
            at_most,
            unit,
        } = self;
        let verdict = if measured <= at_most {
            "met   "
        } else {
            "missed"
        };
        format!("- {verdict} {what}: {measured:.2} {unit}, aim {at_most} {unit}\n")
    }
}

/// Every aim that the figures speak of, met or missed.
pub(crate) fn told(all: &[Figures]) -> String {
    let lines: String = aims(all).iter().map(Aim::told).collect();
    format!("## Aims\n\n{lines}")
}

fn aims(all: &[Figures]) -> Vec<Aim> {
    let mut aims = Vec::new();
    for figures in all {
        let Figures {
            store, shape, load, ..
        } = figures;
        let mut aim = |what: &str, measured: f64, at_most: f64, unit: &'static str| {
            aims.push(Aim {
                what: format!("{store} {shape}: {what}"),
                measured,
                at_most,
                unit,
            });
        };
        aim(
            "bulk write beside the raw floor",
            load.ratio(),
            BULK_TIMES,
            "×",
        );
        if shape.facts == HYBRID_FACTS && shape.channels == 1 {
            let way = |way: Way| figures.way(way).p95;
            aim("hybrid p95", way(Way::Hybrid), HYBRID_MS, "ms");
            aim("hybrid of 2 % p95", way(Way::HybridRare), HYBRID_MS, "ms");
            aim(
                "hybrid of 20 % p95",
                way(Way::HybridCommon),
                HYBRID_MS,
                "ms",
            );
            aim("retrieve p95", way(Way::Retrieve), HYBRID_MS, "ms");
        }
        if let Some(alone) = alone(all, figures) {
            let times = per(figures.way(Way::Hybrid).p95, alone.way(Way::Hybrid).p95);
            let what = "hybrid p95 beside the channel alone";
            aim(what, times, NEIGHBOURS_TIMES, "×");
        }
        if let Some(reopened) = &figures.reopened {
            aim("first answer", reopened.first_answer, FIRST_ANSWER_MS, "ms");
        }
        if is_largest(all, figures) {
            let times = per(figures.way(Way::Dense).p50, figures.way(Way::ScanI8).p50);
            let what = "dense p50 beside the bare int8 scan";
            aim(what, times, SCAN_TIMES, "×");
        }
    }
    aims
}

/// Whether these are of the store's largest single channel: a scan of a smaller one is over before
/// what every search costs.
fn is_largest(all: &[Figures], figures: &Figures) -> bool {
    let singles = all
        .iter()
        .filter(|it| it.store == figures.store && it.shape.channels == 1);
    singles.map(|it| it.shape).max() == Some(figures.shape)
}

/// The figures of a single channel of the same size in the same store.
fn alone<'a>(all: &'a [Figures], figures: &Figures) -> Option<&'a Figures> {
    let is_alone = |it: &&Figures| {
        it.store == figures.store
            && it.shape.channels == 1
            && it.shape.facts == figures.shape.facts
            && figures.shape.channels > 1
    };
    all.iter().find(is_alone)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::figures::{Load, Reopened};
    use crate::plan::Shape;
    use crate::spread::Spread;
    use crate::stores::StoreKind;

    fn figures(channels: usize, facts: usize, hybrid: f64) -> Figures {
        let spread = |p95: f64| Spread {
            p50: p95,
            p95,
            p99: p95,
        };
        Figures {
            store: StoreKind::Memory,
            shape: Shape { channels, facts },
            load: Load {
                facts,
                commit: 3.0,
                index: 4.0,
                raw_records: 1.0,
                raw_words: 1.0,
            },
            ways: BTreeMap::from([(Way::Hybrid, spread(hybrid)), (Way::ScanI8, spread(1.0))]),
            recall: 1.0,
            tens: Spread::default(),
            resident: None,
            disk: None,
            reopened: Some(Reopened {
                first_answer: 150.0,
                ..Reopened::default()
            }),
        }
    }

    #[test]
    fn each_aim_is_told_with_its_figure() {
        let told = told(&[
            figures(1, 10_000, 1.0),
            figures(1, 100_000, 4.0),
            figures(100, 100_000, 6.0),
        ]);
        for line in [
            "- missed memory 1 × 100000: bulk write beside the raw floor: 3.50 ×, aim 3 ×\n",
            "- met    memory 1 × 100000: hybrid p95: 4.00 ms, aim 5 ms\n",
            "- met    memory 1 × 100000: first answer: 150.00 ms, aim 200 ms\n",
            "- missed memory 100 × 100000: hybrid p95 beside the channel alone: 1.50 ×, aim 1.25 ×\n",
        ] {
            assert!(told.contains(line), "{line} is not in {told}");
        }
        for absent in [
            "memory 1 × 100000: hybrid p95 beside",
            "memory 1 × 10000: dense",
            "memory 1 × 10000: hybrid p95:",
        ] {
            assert!(!told.contains(absent), "{absent} is in {told}");
        }
    }
}
