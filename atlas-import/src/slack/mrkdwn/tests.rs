use proptest::prelude::*;
use serde_json::json;

use super::render;
use crate::slack::names::Names;
use crate::slack::scribe::{Named, Scribe};

fn names() -> Names {
    let mut names = Names::default();
    names.add_user(&json!({"id": "U1", "name": "ana", "real_name": "Ana Diaz"}));
    names.add_channel("C1", "general");
    names
}

fn rendered(raw: &str) -> (String, Named) {
    let names = names();
    let mut scribe = Scribe::new(&names);
    let text = render(raw, &mut scribe);
    (text, scribe.named)
}

#[track_caller]
fn check(rows: &[(&str, &str)]) {
    for (raw, expected) in rows {
        assert_eq!(rendered(raw).0, *expected, "{raw}");
    }
}

#[test]
fn references_read_as_names() {
    check(&[
        ("<@U1>: hi", "@Ana Diaz: hi"),
        ("<@U1|ana>", "@Ana Diaz"),
        ("<@U9|bob>", "@bob"),
        ("<@U9>", "@U9"),
        ("<@USLACKBOT>", "@Slackbot"),
        (
            "<#C1> <#C1|old-name> <#C9|> <#C9>",
            "#general #old-name #C9 #C9",
        ),
        (
            "<!here> <!channel> <!everyone|@everyone>",
            "@here @channel @everyone",
        ),
        ("<!subteam^S1|@team> <!subteam^S1>", "@team @S1"),
        ("<!date^1392734382^{date_short}|Feb 18>", "Feb 18"),
        ("<!date^1392734382^{date_short}>", "2014-02-18T14:39:42Z"),
        ("<!foo|bar>", "bar"),
    ]);
    let (_, named) = rendered("<@U1> <@U1> <@U9> <@U8|bo>");
    let mentions: Vec<_> = named
        .mentions
        .iter()
        .map(|author| format!("{}={}", author.id, author.name))
        .collect();
    assert_eq!(mentions, ["U1=Ana Diaz", "U9=U9", "U8=bo"]);
    assert_eq!(named.unresolved, ["U9"]);
}

#[test]
fn links_read_as_labels_and_are_kept() {
    let rows = [
        (
            "<https://x.org/a|the doc>",
            "the doc",
            "https://x.org/a=the doc",
        ),
        ("<https://x.org/a>", "https://x.org/a", "https://x.org/a="),
        ("<https://x.org/|x.org>", "x.org", "https://x.org/="),
        (
            "<https://x.org/?a=1&amp;b=2|q &amp; a>",
            "q & a",
            "https://x.org/?a=1&b=2=q & a",
        ),
        (
            "<https://x.org/*a_b*|*b*>",
            "*b*",
            "https://x.org/*a_b*=*b*",
        ),
        (
            "see https://x.org/_a_b_c, ok",
            "see https://x.org/_a_b_c, ok",
            "https://x.org/_a_b_c=",
        ),
        (
            "<mailto:a@x.org|a@x.org> <mailto:a@x.org>",
            "a@x.org a@x.org",
            "",
        ),
        ("<tel:+123|call>", "call", ""),
    ];
    for (raw, text, links) in rows {
        let (found, named) = rendered(raw);
        let kept: Vec<_> = named
            .links
            .iter()
            .map(|link| format!("{}={}", link.url, link.title.as_deref().unwrap_or_default()))
            .collect();
        assert_eq!(
            (found.as_str(), kept.join(" ").as_str()),
            (text, links),
            "{raw}"
        );
    }
}

#[test]
fn what_is_no_markup_stays() {
    check(&[
        ("Vec<T> and a < b > c", "Vec<T> and a < b > c"),
        ("<", "<"),
        ("<>", "<>"),
        ("<@>", "<@>"),
        ("<@ U1>", "<@ U1>"),
        ("<std::vec>", "<std::vec>"),
        ("a\0b\u{2028}c\u{feff}", "a\0b\u{2028}c\u{feff}"),
    ]);
}

#[test]
fn entities_are_decoded_once() {
    check(&[
        ("a &lt;b&gt; &amp; c", "a <b> & c"),
        ("&amp;lt;", "&lt;"),
        ("&amp;amp;", "&amp;"),
        ("&lt;@U1&gt;", "<@U1>"),
        ("&nbsp; &quot;", "&nbsp; &quot;"),
    ]);
}

#[test]
fn emphasis_loses_its_marks() {
    check(&[
        ("*bold* _it_ ~no~", "bold it no"),
        ("(*text*), _wo r@d_.", "(text), wo r@d."),
        ("*_both_* _*both*_ ~*x*~", "both both x"),
        ("*<@U1>* _:tada:_", "@Ana Diaz 🎉"),
        (
            "snake_case_name mid_word_ *mid*word",
            "snake_case_name mid_word_ *mid*word",
        ),
        ("2 * 3 * 4 and a*b*c", "2 * 3 * 4 and a*b*c"),
        (
            "**word** ***word*** __init__",
            "**word** ***word*** __init__",
        ),
        ("*args, **kwargs", "*args, **kwargs"),
        ("~5 to ~6", "~5 to ~6"),
        ("*a\nb*", "*a\nb*"),
        ("@_x_ /_next/_x_/", "@_x_ /_next/_x_/"),
    ]);
}

#[test]
fn code_is_kept() {
    check(&[
        ("`*a* :tada: &lt;b&gt;`", "`*a* :tada: <b>`"),
        ("```\n*a* :x:\n&gt;b\n``` *c*", "```\n*a* :x:\n>b\n``` c"),
        ("`see <https://x.org|x>`", "`see x`"),
        ("a ` b *c*", "a ` b c"),
        ("`a\nb` *c*", "`a\nb` c"),
        ("```open *a*", "```open a"),
        ("``", "``"),
    ]);
}

#[test]
fn quoted_lines_begin_with_a_mark_and_a_blank() {
    check(&[
        ("&gt; a\n&gt;b\nc", "> a\n> b\nc"),
        ("&gt;&gt;&gt; a\nb", "> a\n> b"),
        ("&gt;\na &gt; b", ">\na > b"),
        ("&gt;*a*", "> a"),
    ]);
}

#[test]
fn emoji_codes_become_emoji() {
    check(&[
        (":tada:", "🎉"),
        ("done:tada:", "done🎉"),
        (":tada::+1::skin-tone-3:", "🎉👍🏼"),
        (":party_parrot::blob:", "(party_parrot)(blob)"),
        (":white_check_mark:", "✅"),
        (":100: :+1:", "💯 👍"),
        ("at 10:30:45 or 10:100:45", "at 10:30:45 or 10:100:45"),
        (":30: 1:2:", ":30: 1:2:"),
        ("std::vec::Vec urn:isbn:1", "std::vec::Vec urn:isbn:1"),
        ("note: this: that", "note: this: that"),
        (":", ":"),
    ]);
}

#[test]
fn a_long_text_takes_no_long_time() {
    for piece in ["*a ", "<", "`a\n", ":a", "```", "_a", "&gt;\n", "<@U1>"] {
        let (text, _) = rendered(&piece.repeat(40_000));
        assert!(text.len() >= 40_000, "{piece}");
    }
}

proptest! {
    #[test]
    fn any_text_is_rendered(raw in "\\PC*|[<>&*_~:`@#!|a-z \n;]{0,40}|(<@|<#C1|<!date\\^|\\||>|&lt;|```|:a:|\\*|x| ){0,20}") {
        rendered(&raw);
    }

    #[test]
    fn text_without_markup_is_unchanged(raw in "[^<>&*_~:`]*") {
        prop_assert_eq!(rendered(&raw).0, raw);
    }
}
