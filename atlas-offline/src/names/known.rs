//! Names that are widely known, and words that tell what a name names. Folded.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use atlas_core::model::EntityType;

use crate::text::cue::Words;

const TECHNOLOGIES: &str = "postgres postgresql mysql sqlite mariadb mongodb redis kafka rabbitmq \
    elasticsearch cassandra dynamodb snowflake bigquery clickhouse duckdb neo4j weaviate qdrant \
    python javascript typescript java kotlin golang rust ruby php perl scala haskell elixir erlang \
    node.js nodejs deno react angular vue svelte nextjs next.js django flask fastapi rails spring \
    tensorflow pytorch pandas numpy jupyter docker kubernetes k8s terraform ansible jenkins github \
    gitlab bitbucket git linux ubuntu debian windows macos android ios aws azure gcp lambda s3 nginx \
    apache graphql grpc oauth saml jwt wasm webpack vite spark hadoop airflow grafana prometheus \
    datadog sentry tableau excel figma jira confluence notion slack zoom trello asana vscode vim \
    emacs gpt chatgpt llm rag bm25 html css sql json yaml csv http https tls ssh vpn dns api sdk \
    d3 d3.js tantivy sqlx tokio flink presto trino looker supabase firebase vercel netlify heroku";

const ORGANIZATIONS: &str = "google microsoft apple amazon facebook meta netflix oracle ibm intel \
    nvidia openai anthropic twitter linkedin spotify uber airbnb stripe paypal visa samsung sony \
    salesforce sap cisco dell adobe atlassian hashicorp cloudflare nasa unesco mozilla canonical";

const PLACES: &str = "berlin london paris madrid barcelona lisbon rome milan vienna zurich geneva \
    munich hamburg frankfurt cologne amsterdam brussels copenhagen stockholm oslo helsinki warsaw \
    prague budapest athens istanbul moscow kyiv dublin edinburgh tokyo osaka kyoto seoul beijing \
    shanghai shenzhen singapore bangkok hanoi jakarta manila mumbai delhi bangalore bengaluru \
    hyderabad dubai cairo lagos nairobi johannesburg toronto montreal vancouver boston chicago \
    seattle austin houston dallas denver atlanta miami sydney melbourne auckland germany france \
    spain italy portugal england scotland ireland switzerland austria poland sweden norway denmark \
    finland netherlands belgium greece turkey russia ukraine china japan korea india vietnam \
    thailand indonesia brazil argentina chile mexico canada australia europe asia africa america \
    usa uk california texas florida manhattan brooklyn \
    北京 上海 深圳 广州 杭州 成都 东京 香港 台北 柏林 伦敦 巴黎 纽约";

/// Last words of names, with what they make of the name.
const ENDINGS: [(EntityType, &str); 6] = [
    (
        EntityType::Organization,
        "inc ltd gmbh corp llc ag plc labs university foundation bank institute association college \
         holdings group company agency ministry",
    ),
    (
        EntityType::Team,
        "team squad guild crew department committee",
    ),
    (EntityType::Project, "project initiative"),
    (
        EntityType::Event,
        "conf conference summit meetup hackathon workshop festival offsite retro retrospective \
         standup kickoff webinar week",
    ),
    (
        EntityType::Document,
        "doc document spec rfc report paper guide readme prd memo manual policy handbook playbook \
         proposal roadmap",
    ),
    (EntityType::Product, "app platform suite studio cloud"),
];

/// Words in capitals that name nothing.
pub(crate) static NO_NAMES: Words = Words::new(
    "ok lgtm fyi asap eod eow eom eoy cob todo am pm utc gmt wip tbd \
    eta imo imho btw lol omg nb i a afaik iirc tldr ps rip diy faq ooo pto brb ty thx np q1 q2 q3 q4 \
    aka etc vs nope yes no done action note update urgent important please thanks all not and or \
    the is bug fix",
);

/// First words of sentences that are written in capitals for their place only.
pub(crate) static STARTERS: Words = Words::new(
    "please done good great nice cool thanks thank sorry hello hi hey \
    morning sounds looks seems let lets let's added fixed updated merged deployed shipped moved \
    released sent finished add fix update merge deploy ship move release send finish create remove \
    delete write review check test run use need needs want try make set get got put keep give ask \
    call look see start stop open close read work working looking going anyone someone everyone \
    everybody nobody something nothing decision decided agreed agenda summary reminder note status \
    question answer next last first second finally currently recently actually basically honestly \
    maybe perhaps probably hopefully unfortunately apparently also again still yet already \
    yes yeah yep no nope ok okay sure right well oh wow haha congrats congratulations welcome happy \
    glad love like hate prefer think thought hope wish know believe guess wonder tried trying \
    enjoyed feel feels today tomorrow yesterday tonight monday tuesday wednesday thursday friday \
    saturday sunday january february march april may june july august september october november \
    december launch production staging budget deadline meeting data logs price cost team people \
    customers users everything scrap drop postpone cancel instead regarding concerning \
    heute morgen gestern bitte danke wir ich hoy manana vamos gracias demain merci nous",
);

fn rows(words: &'static str, kind: EntityType) -> impl Iterator<Item = (&'static str, EntityType)> {
    words.split_whitespace().map(move |word| (word, kind))
}

static KNOWN: LazyLock<BTreeMap<&str, EntityType>> = LazyLock::new(|| {
    rows(TECHNOLOGIES, EntityType::Technology)
        .chain(rows(ORGANIZATIONS, EntityType::Organization))
        .chain(rows(PLACES, EntityType::Place))
        .collect()
});

static ENDING: LazyLock<BTreeMap<&str, EntityType>> = LazyLock::new(|| {
    ENDINGS
        .into_iter()
        .flat_map(|(kind, words)| rows(words, kind))
        .collect()
});

/// What a widely known name names.
pub(crate) fn known(folded: &str) -> Option<EntityType> {
    KNOWN.get(folded).copied()
}

/// What the last word of a name makes of it.
pub(crate) fn by_ending(folded: &str) -> Option<EntityType> {
    ENDING.get(folded).copied()
}
