//! Tunables from the command line.

use anyhow::{Context, Result, bail};
use atlas_core::retrieve::RetrieveSettings;
use atlas_core::retrieve::fuse::Calibration;

/// Sets tunables, each given as `name=value`.
///
/// # Errors
///
/// A name that is none, a value that is no number.
pub(crate) fn apply(given: &[String], settings: &mut RetrieveSettings) -> Result<()> {
    for setting in given {
        let (name, value) = setting.split_once('=').context("not NAME=VALUE")?;
        set(name, value, settings).with_context(|| format!("cannot set {setting}"))?;
    }
    Ok(())
}

fn set(name: &str, value: &str, settings: &mut RetrieveSettings) -> Result<()> {
    let weight = match name {
        "overfetch" => {
            settings.overfetch = value.parse()?;
            return Ok(());
        }
        "depth" => {
            settings.depth = value.parse()?;
            return Ok(());
        }
        "max_neighbours" => {
            settings.max_neighbours = value.parse()?;
            return Ok(());
        }
        "calibration" => {
            settings.calibration = match value {
                "min-max" => Calibration::MinMax,
                "z-score" => Calibration::ZScore,
                "rank" => Calibration::Rank { constant: 60.0 },
                other => bail!("no such calibration: {other}"),
            };
            return Ok(());
        }
        "fact_words" => &mut settings.weight_fact_words,
        "message_words" => &mut settings.weight_message_words,
        "fact_meaning" => &mut settings.weight_fact_meaning,
        "message_meaning" => &mut settings.weight_message_meaning,
        "graph" => &mut settings.weight_graph,
        "previous" => &mut settings.weight_previous,
        "next" => &mut settings.weight_next,
        "session" => &mut settings.weight_session,
        "part" => &mut settings.weight_part,
        "speaker" => &mut settings.weight_speaker,
        "time" => &mut settings.weight_time,
        "recency" => &mut settings.weight_recency,
        other => bail!("no such tunable: {other}"),
    };
    *weight = value.parse()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tunable_is_set_or_refused() {
        let mut settings = RetrieveSettings::default();
        apply(
            &["session=0.7".to_owned(), "calibration=rank".to_owned()],
            &mut settings,
        )
        .unwrap();
        assert!((settings.weight_session - 0.7).abs() < 1e-9);
        assert_eq!(settings.calibration, Calibration::Rank { constant: 60.0 });
        for wrong in ["session", "nothing=1", "session=much", "calibration=none"] {
            assert!(
                apply(&[wrong.to_owned()], &mut settings).is_err(),
                "{wrong}"
            );
        }
    }
}
