use std::io::Read;
fn main() {
    let mut s = String::new();
    std::io::stdin().read_to_string(&mut s).unwrap();
    let v: serde_json::Value = serde_json::from_str(&s).unwrap();
    let msgs: Vec<atlas_core::llm::PromptMessage> = v
        .as_array()
        .unwrap()
        .iter()
        .enumerate()
        .map(|(i, m)| atlas_core::llm::PromptMessage {
            label: format!("m{i}"),
            author: m["author"].as_str().unwrap().into(),
            sent_at: m["at"].as_str().unwrap().parse().unwrap(),
            text: m["text"].as_str().unwrap().into(),
            thread_root: m["root"].as_i64().map(|r| format!("m{r}")),
            mentions: vec![],
            links: vec![],
        })
        .collect();
    let texts: Vec<String> = msgs.iter().map(|m| m.text.clone()).collect();
    let t = std::time::Instant::now();
    let out = atlas_offline::dev_facts(msgs.clone());
    let el = t.elapsed();
    let min: f64 = std::env::args()
        .nth(1)
        .map(|x| x.parse().unwrap())
        .unwrap_or(0.5);
    let mut n = 0;
    for f in &out {
        let q = f["quality"].as_f64().unwrap();
        if q < min {
            continue;
        };
        n += 1;
        println!(
            "[{} {:.2}] {}\n      slot={} own={} due={} st={} ans={} tags={} why={} alt={} num={}",
            f["kind"].as_str().unwrap(),
            q,
            f["text"].as_str().unwrap(),
            f["slot"],
            f["owner"],
            f["due"],
            f["status"],
            f["answers"],
            f["topic_tags"],
            f["rationale"],
            f["alternatives"],
            f["numbers"]
        );
    }
    if std::env::args().nth(2).is_some() {
        let have: std::collections::BTreeSet<String> = out
            .iter()
            .filter(|f| f["quality"].as_f64().unwrap() >= min)
            .map(|f| f["message"].as_str().unwrap().to_string())
            .collect();
        for (i, t) in texts.iter().enumerate() {
            if !have.contains(&format!("m{i}")) {
                println!("NONE: {}", t.replace('\n', " ⏎ "));
            }
        }
    }
    eprintln!("{} messages {} facts {:?}", texts.len(), n, el);
}
