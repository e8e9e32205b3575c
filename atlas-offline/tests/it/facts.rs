use atlas_core::model::{ActionStatus, FactKind, Modality, Polarity};

use crate::conversation::{fact, facts, message, thread};

/// Kind and statement.
#[track_caller]
fn check(text: &str, kind: FactKind, told: &str) {
    let fact = fact(text);
    assert_eq!((fact.kind, fact.text.as_str()), (kind, told), "{text}");
    assert!(text.contains(&fact.quote));
}

/// Subject, family, value and polarity.
#[track_caller]
fn slot(text: &str, subject: &str, family: &str, value: &str, polarity: Polarity) {
    let slot = fact(text).slot.unwrap_or_else(|| panic!("{text}: no slot"));
    let found = (
        slot.subject.as_str(),
        slot.family.as_str(),
        slot.value.as_str(),
        slot.polarity,
    );
    assert_eq!(found, (subject, family, value, polarity), "{text}");
}

#[track_caller]
fn none(text: &str) {
    let found = facts(vec![message("m0", "Priya Shah", text)]);
    assert!(found.is_empty(), "{text}: {found:?}");
}

#[test]
fn decisions_are_found_however_they_are_said() {
    for text in [
        "We decided to use Postgres for billing.",
        "We agreed on weekly releases",
        "We're going with the blue logo",
        "Let's go with option B for the header",
        "We settled on Kafka for the event bus",
        "We chose Rust for the parser because of its speed",
        "Decision: the beta stays closed until June",
        "We no longer use Redis for caching",
        "Scrap Postgres, we use MySQL instead.",
        "We're going back to MySQL for billing",
        "The offsite has been postponed to 4 June",
        "We changed our minds about the pricing page",
        "Wir haben uns für Kafka entschieden.",
        "Decidimos usar Kafka para la facturación.",
        "Nous avons choisi Kafka pour la facturation.",
        "我们决定用Kafka做消息队列。",
        "发布推迟到5月26日。",
    ] {
        assert_eq!(fact(text).kind, FactKind::Decision, "{text}");
    }
}

#[test]
fn tasks_have_their_owner_and_their_time() {
    #[track_caller]
    fn check(text: &str, owner: Option<&str>, due: Option<&str>, status: ActionStatus) {
        let fact = fact(text);
        assert_eq!(fact.kind, FactKind::ActionItem, "{text}");
        let due = due.map(|day| format!("{day}T00:00:00Z"));
        assert_eq!(
            (fact.owner.as_deref(), fact.due, fact.status),
            (owner, due, Some(status)),
            "{text}"
        );
    }
    use ActionStatus::{Blocked, Done, InProgress, Open};
    let me = Some("Priya Shah");
    check("I'll send the deck tomorrow", me, Some("2026-03-10"), Open);
    check(
        "I need to renew the certificate by Friday",
        me,
        Some("2026-03-13"),
        Open,
    );
    check(
        "@Dana can you review the API guide by Friday?",
        Some("Dana"),
        Some("2026-03-13"),
        Open,
    );
    check(
        "Dana, please update the runbook by next Monday",
        Some("Dana"),
        Some("2026-03-16"),
        Open,
    );
    check("TODO: Dana to update the runbook", Some("Dana"), None, Open);
    check(
        "Action item: book the venue by 2 April",
        None,
        Some("2026-04-02"),
        Open,
    );
    check(
        "We need to migrate the build server before Friday",
        None,
        Some("2026-03-13"),
        Open,
    );
    check(
        "Please submit the expense reports by Friday",
        None,
        Some("2026-03-13"),
        Open,
    );
    check("- [ ] rotate the signing keys", None, None, Open);
    check("- [x] rotate the signing keys", None, None, Done);
    check("I sent the contract to the lawyers", me, None, Done);
    check("I'm blocked on the missing test data", me, None, Blocked);
    check(
        "I'm still writing the migration guide",
        me,
        None,
        InProgress,
    );
    check(
        "Ich werde die Folien morgen schicken",
        me,
        Some("2026-03-10"),
        Open,
    );
    check("我来写发布说明，明天给大家", me, Some("2026-03-10"), Open);
}

#[test]
fn statements_stand_on_their_own() {
    use FactKind::{ActionItem, Observation, Opinion};
    check(
        "I love Chinese food",
        Opinion,
        "Priya Shah loves Chinese food.",
    );
    check(
        "The launch is on 12 May.",
        Observation,
        "The launch is on 12 May (2026-05-12).",
    );
    check(
        "@Dana can you review the API guide by Friday?",
        ActionItem,
        "Dana to review the API guide by Friday (2026-03-13).",
    );
    check(
        "ok, so the staging server is down again :fire:",
        Observation,
        "The staging server is down again.",
    );
    check(
        "My flight lands at 15:30 tomorrow",
        Observation,
        "Priya Shah's flight lands at 15:30 tomorrow (2026-03-10).",
    );
    check(
        "发布改到5月26日。",
        FactKind::Decision,
        "发布改到5月26日（2026-05-26）。",
    );
    let sent = fact("I'll send the deck tomorrow").text;
    assert!(
        sent.starts_with("Priya Shah") && sent.ends_with("send the deck tomorrow (2026-03-10)."),
        "{sent}"
    );
}

#[test]
fn a_changed_value_lands_in_the_slot_of_the_first() {
    use Polarity::Positive;
    for text in [
        "The launch is on 12 May",
        "The launch date is 12 May",
        "Launch: 12 May",
        "We launch on 12 May",
        "launch moved to 12 May",
    ] {
        slot(text, "launch", "date", "2026-05-12", Positive);
    }
    for text in [
        "We moved the launch to 26 May because QA is late",
        "The launch slips to 26 May",
        "We have pushed the launch back to 26 May",
        "the launch has been postponed to 26 May",
        "We moved the launch from 12 May to 26 May",
    ] {
        slot(text, "launch", "date", "2026-05-26", Positive);
    }
}

#[test]
fn what_is_said_of_a_thing_lands_in_its_slot() {
    use Polarity::{Negative, Positive};
    let rows = [
        (
            "We decided to use Postgres for billing",
            "billing | uses | postgres",
            Positive,
        ),
        (
            "We're going back to MySQL for billing",
            "billing | uses | mysql",
            Positive,
        ),
        (
            "We no longer use Postgres for billing",
            "billing | uses | postgres",
            Negative,
        ),
        (
            "Scrap Postgres, we use MySQL instead",
            "we | uses | mysql",
            Positive,
        ),
        (
            "I love Chinese food",
            "priya shah | likes | chinese food",
            Positive,
        ),
        (
            "I hate Chinese food",
            "priya shah | likes | chinese food",
            Negative,
        ),
        (
            "I don't like Chinese food",
            "priya shah | likes | chinese food",
            Negative,
        ),
        (
            "Kiran is on project Atlas",
            "kiran | works_on | atlas",
            Positive,
        ),
        (
            "Kiran moved to project Borealis",
            "kiran | works_on | borealis",
            Positive,
        ),
        (
            "Ana is Staff Engineer at Acme",
            "ana | role | staff engineer",
            Positive,
        ),
        (
            "Core infra owns ranking since November",
            "ranking | owner | core infra",
            Positive,
        ),
        (
            "Dana leads the Growth team",
            "growth team | lead | dana",
            Positive,
        ),
        (
            "The staging server is down again",
            "staging server | status | down",
            Positive,
        ),
        (
            "The staging server isn't ready yet",
            "staging server | status | ready",
            Negative,
        ),
        ("The budget is $5,000", "budget | price | 5,000 $", Positive),
        (
            "The retry limit is 30 seconds",
            "retry limit | amount | 30 seconds",
            Positive,
        ),
        (
            "SLA stands for service level agreement",
            "sla | meaning | service level agreement",
            Positive,
        ),
        ("我喜欢川菜", "priya shah | likes | 川菜", Positive),
        ("缓存用Redis，短期够了", "缓存 | uses | redis", Positive),
    ];
    for (text, expected, polarity) in rows {
        let parts: Vec<&str> = expected.split(" | ").collect();
        slot(text, parts[0], parts[1], parts[2], polarity);
    }
}

#[test]
fn what_is_only_possible_is_not_asserted() {
    assert_eq!(
        fact("Maybe the launch is on 12 May").slot.unwrap().modality,
        Modality::Possible
    );
    assert_eq!(
        fact("The launch will be on 12 May").slot.unwrap().modality,
        Modality::Planned
    );
}

#[test]
fn reasons_alternatives_numbers_and_terms_are_kept() {
    let fact = fact(
        "We decided to use Postgres for billing instead of MySQL because it handles 3,000 requests per node",
    );
    assert_eq!(
        fact.rationale.as_deref(),
        Some("it handles 3,000 requests per node")
    );
    assert_eq!(fact.alternatives, ["MySQL"]);
    assert_eq!(
        (
            fact.numbers[0].number.as_str(),
            fact.numbers[0].unit.as_str()
        ),
        ("3,000", "requests")
    );
    let term = crate::conversation::fact("SLA stands for service level agreement")
        .glossary
        .remove(0);
    assert_eq!(
        (term.term.as_str(), term.definition.as_str()),
        ("SLA", "service level agreement")
    );
    assert!(
        fact.topic_tags.iter().any(|tag| tag == "billing"),
        "{:?}",
        fact.topic_tags
    );
}

#[test]
fn answers_point_to_their_questions() {
    #[track_caller]
    fn check(question: &str, answer: &str, told: &str) {
        let found = facts(thread(&[("Bo", question), ("Ana Ruiz", answer)]));
        let asked = found
            .iter()
            .find(|it| it.message == "m0")
            .unwrap_or_else(|| panic!("{question}"));
        assert_eq!(asked.kind, FactKind::Question);
        let said = found
            .iter()
            .find(|it| it.message == "m1")
            .unwrap_or_else(|| panic!("{answer}"));
        assert_eq!(
            (said.answers.as_deref(), said.text.as_str()),
            (Some("m0"), told),
            "{question}"
        );
    }
    check(
        "When is the demo?",
        "Thursday at 3pm",
        "When is the demo? Thursday at 3pm (2026-03-12).",
    );
    check(
        "Who owns the ranking service?",
        "core infra",
        "Who owns the ranking service? Core infra.",
    );
    check(
        "Do we need a second cluster?",
        "yes, the first one is full",
        "Do we need a second cluster? The first one is full.",
    );
    check(
        "How many seats are booked?",
        "40",
        "How many seats are booked? 40.",
    );
    check(
        "What database does billing use?",
        "Billing uses Postgres since March",
        "Billing uses Postgres since March (2026-03).",
    );
    check("谁负责部署？", "李雷负责部署", "李雷负责部署。");
}

#[test]
fn an_answer_is_looked_for_in_the_same_thread_only() {
    let found = facts(vec![
        message("m0", "Bo", "When is the demo?"),
        message("m1", "Ana", "Thursday at 3pm"),
    ]);
    assert!(found.iter().all(|it| it.answers.is_none()), "{found:?}");
}

#[test]
fn small_talk_and_echoes_are_left_out() {
    for text in [
        "+1",
        "ok",
        "lgtm",
        "sounds good!",
        "haha",
        "hahahaha",
        "thanks everyone!",
        "Thank you so much, Dana",
        "Good morning!",
        "hi all",
        "👍",
        ":tada:",
        "yes",
        "no problem",
        "https://example.org/a",
        "<https://example.org/a>",
        "Dana has joined the channel",
        "Thomas shared a link to it",
        "> The launch is on 12 May",
        "that's great",
        "see you tomorrow!",
        "收到",
        "好的，谢谢",
        "谢谢大家",
        "```\nlet launch = 12;\n```",
        "you're welcome",
        "agreed",
        "Congrats Dana!!",
        "lol nice",
        "",
    ] {
        none(text);
    }
}

#[test]
fn what_others_said_is_not_said_of_the_speaker() {
    for text in [
        "Jack told me he hates football",
        "Jack said he hates football and rugby",
    ] {
        let found = facts(vec![message("m0", "Priya Shah", text)]);
        assert!(
            found
                .iter()
                .all(|it| it.slot.is_none() && it.owner.is_none()),
            "{found:?}"
        );
        assert!(
            found.iter().all(|it| it.text.starts_with("Jack")),
            "{found:?}"
        );
    }
    let found = facts(vec![message(
        "m0",
        "Priya Shah",
        "> I'll send the deck tomorrow\nThe deck has 40 slides in two parts",
    )]);
    assert!(
        found.iter().all(|it| !it.quote.contains("send")),
        "{found:?}"
    );
}

#[test]
fn a_long_turn_stays_with_its_speaker() {
    let turn = "I visited the northern warehouse with my brother and counted the old crates. "
        .repeat(80)
        + "I'll send the inventory on Friday.";
    let found = facts(vec![message("m0", "Priya Shah", &turn)]);
    assert!(!found.is_empty() && found.iter().all(|it| it.text.contains("Priya Shah")));
    assert!(
        found
            .iter()
            .any(|it| it.owner.as_deref() == Some("Priya Shah"))
    );
}

#[test]
fn the_best_statements_of_a_message_are_kept() {
    let task = atlas_core::llm::FactExtractionInput {
        context: Vec::new(),
        messages: vec![message(
            "m0",
            "Bo",
            "The walls of the room look fresh. We decided to use Kafka for events. The launch is on 12 May.",
        )],
        max_facts_per_message: 2,
    };
    let output = futures::executor::block_on(atlas_core::llm::serve(
        &atlas_offline::OfflineLlm::new(),
        &task,
    ))
    .unwrap();
    let quotes: Vec<&str> = output
        .facts
        .iter()
        .filter_map(|it| it["quote"].as_str())
        .collect();
    assert_eq!(
        quotes,
        [
            "We decided to use Kafka for events.",
            "The launch is on 12 May."
        ]
    );
}

#[test]
fn context_is_understood_and_not_extracted_from() {
    let mut reply = message("m0", "Ana Ruiz", "Thursday at 3pm");
    reply.thread_root = Some("c1".to_owned());
    let task = atlas_core::llm::FactExtractionInput {
        context: vec![message("c1", "Bo", "When is the demo?")],
        messages: vec![reply],
        max_facts_per_message: 2,
    };
    let output = futures::executor::block_on(atlas_core::llm::serve(
        &atlas_offline::OfflineLlm::new(),
        &task,
    ))
    .unwrap();
    assert_eq!(output.facts.len(), 1);
    assert_eq!(
        output.facts[0]["text"],
        "When is the demo? Thursday at 3pm (2026-03-12)."
    );
}

#[test]
fn languages_are_told() {
    assert_eq!(
        fact("We decided to use Kafka for events")
            .language
            .as_deref(),
        Some("en")
    );
    assert_eq!(
        fact("Wir haben uns für Kafka entschieden, weil es schnell ist")
            .language
            .as_deref(),
        Some("de")
    );
    assert_eq!(
        fact("我们决定用Kafka做消息队列").language.as_deref(),
        Some("zh")
    );
}
