//! Links between pages.

use std::collections::BTreeSet;

use super::page::Page;

/// The links of a page that lead to no file of the wiki. Addresses of the web are not looked at.
pub fn broken(path: &str, page: &Page, files: &BTreeSet<&str>) -> Vec<String> {
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let inside = page.links.iter().filter(|it| !is_address(it));
    inside
        .filter(|link| {
            let target = resolve(folder, link);
            !target.is_some_and(|it| files.contains(it.as_str()))
        })
        .cloned()
        .collect()
}

/// Whether it has a scheme, such as `https:` or `mailto:`.
fn is_address(link: &str) -> bool {
    let scheme = link.split_once(':').map_or("", |(scheme, _)| scheme);
    !scheme.is_empty()
        && scheme
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '+')
}

/// Where a link of a folder's page leads; none if out of the wiki.
fn resolve(folder: &str, link: &str) -> Option<String> {
    let target = link.split_once('#').map_or(link, |(target, _)| target);
    let mut parts: Vec<&str> = folder.split('/').filter(|it| !it.is_empty()).collect();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            _ => parts.push(part),
        }
    }
    Some(parts.join("/"))
}
