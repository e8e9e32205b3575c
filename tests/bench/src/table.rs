//! Figures to tables.

use crate::figures::{Figures, Way, count, per};
use crate::spread::Spread;

/// The tables of all figures, in Markdown.
pub(crate) fn tables(all: &[Figures]) -> String {
    let titled = [
        (
            "Writing (facts a second; ten facts in ms, p50 / p95 / p99)",
            writing(all),
        ),
        ("Finding, 20 hits (ms, p50 / p95 / p99)", finding(all)),
        ("Floors of finding (ms, p50 / p95 / p99)", floors(all)),
        ("Opening (ms) and size (bytes a fact)", opening(all)),
    ];
    let mut text = String::new();
    for (title, rows) in titled {
        text.extend(["## ", title, "\n\n", &aligned(&rows), "\n"]);
    }
    text
}

pub(crate) type Rows = Vec<Vec<String>>;

fn rows(all: &[Figures], head: &[&str], row: impl Fn(&Figures) -> Vec<String>) -> Rows {
    let head = ["store", "channels × facts"].iter().chain(head);
    let mut rows = vec![head.map(|it| (*it).to_owned()).collect()];
    rows.extend(all.iter().map(|figures| {
        let mut cells = vec![figures.store.to_string(), figures.shape.to_string()];
        cells.extend(row(figures));
        cells
    }));
    rows
}

fn writing(all: &[Figures]) -> Rows {
    let head = [
        "written",
        "commit s",
        "index s",
        "raw floor",
        "raw SQLite s",
        "raw tantivy s",
        "times",
        "ten facts",
    ];
    rows(all, &head, |it| {
        vec![
            format!("{:.0}", it.load.rate()),
            format!("{:.2}", it.load.commit),
            format!("{:.2}", it.load.index),
            format!("{:.0}", it.load.raw_rate()),
            format!("{:.2}", it.load.raw_records),
            format!("{:.2}", it.load.raw_words),
            format!("{:.1}", it.load.ratio()),
            spread(it.tens),
        ]
    })
}

fn finding(all: &[Figures]) -> Rows {
    let head = [
        "lexical",
        "dense",
        "hybrid",
        "of it reading",
        "hybrid of 2 %",
        "hybrid of 20 %",
        "retrieve",
        "recall@10",
    ];
    rows(all, &head, |it| {
        let ways = [
            Way::Lexical,
            Way::Dense,
            Way::Hybrid,
            Way::Hydrate,
            Way::HybridRare,
            Way::HybridCommon,
            Way::Retrieve,
        ];
        let mut cells: Vec<String> = ways.iter().map(|way| spread(it.way(*way))).collect();
        cells.push(format!("{:.3}", it.recall));
        cells
    })
}

fn floors(all: &[Figures]) -> Rows {
    let head = ["FTS5", "tantivy", "f32 scan", "int8 scan"];
    rows(all, &head, |it| {
        let ways = [Way::Fts5, Way::Tantivy, Way::ScanF32, Way::ScanI8];
        ways.iter().map(|way| spread(it.way(*way))).collect()
    })
}

fn opening(all: &[Figures]) -> Rows {
    let head = [
        "first answer",
        "next channels",
        "on disk",
        "of it index",
        "raw records",
        "resident",
    ];
    rows(all, &head, |it| {
        let a_fact = |bytes: u64| {
            let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
            format!("{:.0}", per(count(bytes), count(it.shape.total())))
        };
        let disk = |bytes: Option<u64>| bytes.map_or_else(none, a_fact);
        vec![
            it.reopened
                .map_or_else(none, |it| format!("{:.1}", it.first_answer)),
            it.reopened
                .filter(|_| it.shape.channels > 1)
                .map_or_else(none, |it| spread(it.next_channels)),
            disk(it.disk.map(|it| it.all)),
            disk(it.disk.map(|it| it.index)),
            disk(it.disk.map(|it| it.raw)),
            disk(it.resident()),
        ]
    })
}

fn none() -> String {
    "-".to_owned()
}

fn spread(spread: Spread) -> String {
    format!("{:.2} / {:.2} / {:.2}", spread.p50, spread.p95, spread.p99)
}

/// A Markdown table whose columns stand under each other; the first row is the head.
pub(crate) fn aligned(rows: &Rows) -> String {
    let n_columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..n_columns)
        .map(|column| {
            let cells = rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        })
        .collect();
    let line = |cells: &[String]| -> String {
        let mut text = String::from("|");
        for (cell, width) in cells.iter().zip(&widths) {
            let padding = " ".repeat(width.saturating_sub(cell.chars().count()));
            text.extend([" ", cell, &padding, " |"]);
        }
        text.push('\n');
        text
    };
    let mut text = String::new();
    for (number, row) in rows.iter().enumerate() {
        text.push_str(&line(row));
        if number == 0 {
            let rule: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
            text.push_str(&line(&rule));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_stand_under_each_other() {
        let rows = [["a", "×"], ["longer", "b"]];
        let rows: Rows = rows
            .iter()
            .map(|row| row.iter().map(|it| (*it).to_owned()).collect())
            .collect();
        assert_eq!(
            aligned(&rows),
            "| a      | × |\n| ------ | - |\n| longer | b |\n"
        );
    }
}
