//! What is printed of an import and of what came of it.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::Path;

use atlas_core::model::Evidence;
use atlas_import::Tally;

use crate::load::{Loaded, LoadedChannel};
use crate::wiki::Written;

/// Authors that are named; the others are counted.
const MAX_AUTHORS: usize = 10;

/// Examples that are shown of each doubt.
const MAX_EXAMPLES: usize = 2;

/// The account of an import, and what each channel holds after it.
pub(crate) fn imported(path: &Path, loaded: &Loaded) -> String {
    let report = &loaded.report;
    let mut lines = vec![
        format!("Export    {}", path.display()),
        format!("Messages  {}", tally(&report.messages)),
        format!("Files     {}", tally(&report.files)),
    ];
    for (reason, doubt) in &report.doubts {
        let shown: Vec<String> = doubt.examples.iter().map(|it| one_line(it)).collect();
        let shown = shown.get(..MAX_EXAMPLES).unwrap_or(&shown).join("; ");
        lines.push(format!(
            "Doubtful  {} of {reason}, such as {shown}",
            doubt.count
        ));
    }
    if let (Some(first), Some(last)) = (report.first, report.last) {
        lines.push(format!("Time      {} to {}", first.date(), last.date()));
    }
    lines.push(format!("Authors   {}", authors(loaded)));
    lines.push(String::new());
    lines.extend(table(&loaded.channels));
    lines.push(String::new());
    lines.join("\n") + "\n"
}

fn tally(tally: &Tally) -> String {
    let kept = format!("{} read = {} kept", tally.read, tally.kept);
    let skipped = tally.skipped_in_all();
    if skipped == 0 {
        return kept;
    }
    let reasons = tally.skipped.iter();
    let reasons: Vec<String> = reasons
        .map(|(reason, count)| format!("{reason} {count}"))
        .collect();
    format!("{kept} + {skipped} skipped ({})", reasons.join(", "))
}

fn authors(loaded: &Loaded) -> String {
    let mut by_count: Vec<(u64, String)> = loaded
        .report
        .authors
        .iter()
        .map(|(id, count)| {
            let name = loaded.authors.get(id).map_or(id.as_str(), String::as_str);
            (*count, one_line(name))
        })
        .collect();
    by_count.sort_by(|(a, name), (b, other)| b.cmp(a).then_with(|| name.cmp(other)));
    let mut shown: Vec<String> = by_count
        .iter()
        .take(MAX_AUTHORS)
        .map(|(count, name)| format!("{name} {count}"))
        .collect();
    if by_count.len() > MAX_AUTHORS {
        shown.push(format!("and {} more", by_count.len() - MAX_AUTHORS));
    }
    format!("{} ({})", by_count.len(), shown.join(", "))
}

/// What each channel holds, in columns.
fn table(channels: &[LoadedChannel]) -> Vec<String> {
    let head = [
        "Channel", "messages", "facts", "past", "refused", "entities", "topics", "pages",
    ];
    let mut rows = vec![head.map(str::to_owned)];
    for it in channels {
        let messages = it.receipt.accepted + it.receipt.changed + it.receipt.unchanged;
        let cells: [&dyn Display; 7] = [
            &messages,
            &it.holds.n_facts,
            &it.holds.n_past,
            &it.holds.n_refused,
            &it.holds.graph.n_entities,
            &it.holds.n_topics,
            &it.holds.n_pages,
        ];
        let mut row = [const { String::new() }; 8];
        for (cell, told) in row.iter_mut().skip(1).zip(cells) {
            *cell = told.to_string();
        }
        row[0] = one_line(&it.channel.name);
        rows.push(row);
    }
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    rows.iter()
        .map(|row| {
            let cells = row.iter().zip(&widths).enumerate();
            let cells: Vec<String> = cells
                .map(|(column, (cell, width))| match column {
                    0 => format!("{cell:<width$}"),
                    _ => format!("{cell:>width$}"),
                })
                .collect();
            cells.join("  ").trim_end().to_owned()
        })
        .collect()
}

/// What a memory that is kept between runs had to do in this one.
pub(crate) fn kept(dir: &Path, loaded: &Loaded) -> String {
    let sum = |of: fn(&LoadedChannel) -> usize| loaded.channels.iter().map(of).sum::<usize>();
    format!(
        "Memory    {}: {} messages were new, {} changed, {} known; {} were read anew, in {} \
         calls of the model\n\n",
        dir.display(),
        sum(|it| it.receipt.accepted),
        sum(|it| it.receipt.changed),
        sum(|it| it.receipt.unchanged),
        sum(|it| it.settled.extract.messages),
        sum(|it| it.settled.n_calls()),
    )
}

/// What a reader has to know of a channel that is not as it should be.
pub(crate) fn warnings(of: &LoadedChannel) -> Vec<String> {
    let name = one_line(&of.channel.name);
    let mut told = Vec::new();
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for refused in &of.receipt.refused {
        *reasons.entry(refused.reason).or_default() += 1;
    }
    for (reason, count) in reasons {
        told.push(format!("{count} messages were not taken: {reason}"));
    }
    let settled = &of.settled;
    if settled.waiting > 0 {
        told.push(format!("{} conversations wait still", settled.waiting));
    }
    if let Some(outage) = &settled.extract.outage {
        told.push(format!("extraction stands still: {outage}"));
    }
    if settled.lifecycle.waiting > 0 {
        told.push(format!(
            "{} facts are not compared yet",
            settled.lifecycle.waiting
        ));
    }
    if let Some((_, error)) = settled.topic.failed.first() {
        let count = settled.topic.failed.len();
        told.push(format!("{count} summaries are behind: {error}"));
    }
    if !settled.is_complete() && told.is_empty() {
        told.push("pages of the wiki are behind".to_owned());
    }
    told.into_iter()
        .map(|it| format!("warning: {name}: {it}"))
        .collect()
}

/// Where the wiki is.
pub(crate) fn written(folder: &Path, written: Written) -> String {
    let Written { pages, channels } = written;
    format!(
        "Wiki      {pages} pages of {channels} channels in {}\n",
        folder.join("README.md").display()
    )
}

/// Who said it, when, where, in which words.
pub(crate) fn cited(evidence: &Evidence, loaded: &Loaded) -> String {
    let id = &evidence.message.channel;
    let channel = loaded.channels.iter().find(|it| it.channel.id == *id);
    let channel = channel.map_or(id.as_str(), |it| it.channel.name.as_str());
    format!(
        "{}, {}, #{}: “{}”",
        one_line(&evidence.author.name),
        evidence.sent_at.date(),
        one_line(channel),
        one_line(&evidence.quote)
    )
}

/// A text on one line, without what could move a terminal's cursor.
pub(crate) fn one_line(text: &str) -> String {
    let words: Vec<String> = text
        .split_whitespace()
        .map(|word| word.chars().filter(|c| !c.is_control()).collect())
        .collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_cannot_move_the_cursor() {
        assert_eq!(one_line("a\n b\u{1b}[2Jc\t"), "a b[2Jc");
    }
}
