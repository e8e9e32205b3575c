//! The tunables of topics.

/// The tunables of this stage.
///
/// Thresholds are of the affinity: the cosine, or the cosine helped by what two facts name in
/// common, as `affinity.rs` describes it. So they hold for embedders whose cosines are
/// low as well.
#[derive(Clone, Debug, PartialEq)]
pub struct TopicSettings {
    /// A fact joins the nearest topic if its affinity is above this.
    pub assign_above: f64,
    /// Two topics become one if their affinity is above this and the union fits.
    pub merge_above: f64,
    /// The most members of a topic; one that grows beyond is split.
    pub max_members: usize,
    /// What the cosine counts where names in common are counted too.
    pub cosine_weight: f64,
    /// What names in common count.
    pub overlap_weight: f64,
    /// The rarity that names must add up to before having all of them in common counts in full:
    /// so one name that everybody uses does not make a topic.
    pub full_rarity: f64,
    /// Topics with fewer members are told in their facts' own words, without a model.
    pub model_from: usize,
    /// The most facts that a summary is made from.
    pub max_facts_a_summary: usize,
    /// The most key facts of a topic.
    pub max_key_facts: usize,
    /// The most topics that the channel's summary is made from, largest first.
    pub max_topics_a_channel: usize,
}

impl Default for TopicSettings {
    fn default() -> Self {
        Self {
            assign_above: 0.42,
            merge_above: 0.85,
            max_members: 100,
            cosine_weight: 0.5,
            overlap_weight: 0.75,
            full_rarity: 0.6,
            model_from: 2,
            max_facts_a_summary: 40,
            max_key_facts: 5,
            max_topics_a_channel: 12,
        }
    }
}
