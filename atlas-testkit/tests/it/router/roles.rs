//! Which request reaches whom.

use std::collections::BTreeMap;
use std::sync::Arc;

use atlas_core::ErrorKind;
use atlas_core::llm::router::{Assignment, EndpointSettings, ModelSettings, Router, Target};
use atlas_core::llm::{Prompt, Role, TaskInput, Wording};
use atlas_core::model::ModelRole;
use atlas_core::ports::{
    CompletionRequest, LlmCapabilities, LlmProvider, ModelChoice, ModelParameters,
};
use atlas_testkit::double::{Reply, Rule, ScriptedLlm};
use futures::executor::block_on;

use super::{at, clock, question, router};

/// What no two roles share.
fn target(role: Role, place: u32) -> Target {
    let name = role.as_str();
    Target::new(format!("at-{name}"))
        .with_model(format!("model-{name}"))
        .with_parameters(ModelParameters {
            temperature: Some(0.25),
            top_p: Some(0.5),
            seed: Some(u64::from(place)),
            max_output_tokens: Some(100 + place),
            reasoning_effort: Some(format!("effort-{name}")),
        })
}

fn any_reply() -> ScriptedLlm {
    ScriptedLlm::new(Role::ALL.map(|role| Rule::always(role, Reply::text("{}"))))
}

/// The example of a role's task, as it is asked.
fn request(role: Role) -> CompletionRequest {
    let system = Wording::of_role(role).system();
    let (_, example) = system.rsplit_once("An example.\n").unwrap();
    let (input, _) = example.split_once("\nThe reply to it:").unwrap();
    let input: TaskInput = Prompt::input(input).unwrap();
    assert_eq!(input.role(), role);
    input.request().unwrap()
}

#[test]
fn every_role_reaches_its_own_provider_with_its_own_model_and_parameters() {
    let mut settings = ModelSettings::default().with_default(Target::new("nobody").into());
    let mut providers = vec![("nobody".to_owned(), any_reply())];
    for (place, role) in (0..).zip(Role::ALL) {
        settings = settings.with_role(role, target(role, place).into());
        providers.push((target(role, place).provider, any_reply()));
    }
    let by_name: Vec<(&str, ScriptedLlm)> = providers
        .iter()
        .map(|(name, llm)| (name.as_str(), llm.clone()))
        .collect();
    let router = router(&by_name, clock(), settings);
    for role in Role::ALL {
        block_on(router.complete(&request(role))).unwrap();
        drop(block_on(router.stream(&request(role))).unwrap());
    }
    for (place, role) in (0..).zip(Role::ALL) {
        let target = target(role, place);
        let name = role.as_str();
        let (_, provider) = by_name.iter().find(|it| it.0 == target.provider).unwrap();
        let requests = provider.requests();
        assert_eq!(requests.len(), 2, "{name}");
        for seen in requests {
            let expected = CompletionRequest {
                choice: target.choice(),
                ..request(role)
            };
            assert_eq!(seen, expected, "{name}");
        }
        let fingerprint = router.fingerprint(role, &ModelChoice::default());
        assert_eq!(fingerprint, provider.fingerprint(role, &target.choice()));
        let line = router.bill().by_role()[&ModelRole::Task(role)];
        assert_eq!(
            (line.calls, line.attempts, line.failures),
            (2, 2, 0),
            "{name}"
        );
    }
    assert_eq!(by_name[0].1.requests(), []);
    for (key, _) in router.bill().lines() {
        assert_eq!(key.endpoint, format!("at-{}", key.role));
        assert_eq!(key.model, format!("model-{}", key.role));
    }
}

#[test]
fn what_a_request_says_goes_before_what_the_settings_say() {
    let target = Target::new("a")
        .with_model("set")
        .with_parameters(ModelParameters {
            temperature: Some(0.5),
            seed: Some(1),
            ..ModelParameters::default()
        });
    let settings = ModelSettings::default().with_default(target.into());
    let provider = any_reply();
    let router = router(&[("a", provider.clone())], clock(), settings);
    let mut request = question("?");
    request.choice.parameters.seed = Some(2);
    request.choice.model = Some("said".to_owned());
    block_on(router.complete(&request)).unwrap();
    let seen = provider.requests().remove(0).choice;
    assert_eq!(seen.model.as_deref(), Some("said"));
    assert_eq!(
        (seen.parameters.seed, seen.parameters.temperature),
        (Some(2), Some(0.5))
    );
}

#[test]
fn a_fingerprint_names_all_that_may_answer() {
    let named = |name: &str| any_reply().with_fingerprint(name);
    let providers = [("a", named("one")), ("b", named("two"))];
    let of = |settings: ModelSettings| {
        let router = router(&providers, clock(), settings);
        router
            .fingerprint(Role::Answerer, &ModelChoice::default())
            .to_string()
    };
    assert_eq!(of(at(&["a"])), "one/answerer");
    assert_eq!(of(at(&["a", "b"])), "one/answerer|two/answerer");
    let model = Target::new("a").with_model("m");
    assert_ne!(
        of(ModelSettings::default().with_default(model.into())),
        of(at(&["a"]))
    );
}

#[test]
fn a_router_can_what_all_can_that_serve_a_role() {
    let able = |can: LlmCapabilities| any_reply().with_capabilities(can);
    let free = LlmCapabilities::default()
        .with_schema(true)
        .with_model_free(true);
    let providers = [("a", able(free)), ("b", able(free.with_model_free(false)))];
    let of = |settings: ModelSettings| router(&providers, clock(), settings).capabilities();
    assert_eq!(of(at(&["a"])), free);
    assert_eq!(of(at(&["a", "b"])), free.with_model_free(false));
    let one = at(&["a"]).with_role(Role::WikiWriter, Target::new("b").into());
    assert_eq!(of(one), free.with_model_free(false));
}

#[test]
fn a_name_that_nobody_has_is_refused_with_the_name() {
    let providers: BTreeMap<String, Arc<dyn LlmProvider>> =
        BTreeMap::from([("default".to_owned(), Arc::new(any_reply()) as _)]);
    let with_fallback = Assignment::default().with_fallback(Target::new("typo"));
    for settings in [
        at(&["typo"]),
        ModelSettings::default().with_role(Role::Answerer, Target::new("typo").into()),
        ModelSettings::default().with_role(Role::Answerer, with_fallback),
        ModelSettings::default().with_endpoint("typo", EndpointSettings::default()),
    ] {
        let refusal = Router::new(&providers, Arc::new(clock()), settings).unwrap_err();
        assert_eq!(refusal.kind(), ErrorKind::Invalid);
        assert!(refusal.to_string().contains("typo"), "{refusal}");
    }
    // The embedder's endpoint is one too.
    let limited = ModelSettings::default().with_endpoint("embedder", EndpointSettings::default());
    assert!(Router::new(&providers, Arc::new(clock()), limited).is_ok());
}
