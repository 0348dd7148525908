//! The store's conformance suite: each case is written once and runs on SQLite and on Postgres.

mod cases;
mod crash;
mod nodes;
#[path = "../../../tests/src/postgres.rs"]
#[expect(unreachable_pub, reason = "the file is a public module of the crate `tests`")]
mod postgres;
mod sqlite;
mod table;

/// Lists the cases: on SQLite each is a test of its own; on Postgres they share a cluster, each with its own database.
macro_rules! conformance {
    ($($case:ident),* $(,)?) => {
        mod on_sqlite {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $case() {
                let folder = tempfile::tempdir().expect("a temporary folder");
                let url = format!("sqlite:{}", folder.path().join("store.sqlite").display());
                super::cases::$case(super::table::Table::open(url).await).await;
            })*
        }

        #[test]
        fn on_postgres() {
            let Some(cluster) = postgres::Cluster::start() else { return };
            let runtime = tokio::runtime::Runtime::new().expect("a runtime");
            $(
                let table = runtime.block_on(table::Table::open(cluster.database()));
                let case = runtime.spawn(cases::$case(table));
                if let Err(failure) = runtime.block_on(case) {
                    panic!("case {} failed on Postgres: {failure}", stringify!($case));
                }
            )*
        }
    };
}

conformance!(
    a_new_game_waits_for_its_first_orders,
    a_game_may_begin_with_a_window_of_turn_0,
    a_game_is_made_once,
    an_invitation_is_claimed_once,
    a_seat_is_found_by_its_token_alone,
    leak_73_a_token_plays_or_watches,
    watchers_come_by_their_links_and_survive_reopening,
    a_draft_is_saved_by_revision,
    a_draft_survives_reopening,
    an_acknowledged_seal_survives_reopening,
    a_seat_seals_once,
    a_resent_seal_gets_the_first_answer,
    a_command_means_one_thing,
    a_seal_is_taken_back_while_the_window_is_open,
    the_last_seal_closes_the_window,
    two_last_seals_at_one_instant_close_once,
    a_seal_at_the_deadline_is_late,
    the_deadline_and_the_last_seal_close_once,
    a_window_closes_at_its_deadline_and_not_before,
    drafts_count_as_sealed_after_the_deadline,
    inputs_are_what_was_sealed,
    a_second_outcome_loses,
    two_outcomes_at_one_instant_are_recorded_once,
    outcomes_form_one_chain,
    one_window_may_decide_several_stages,
    a_held_game_takes_nothing_and_goes_on,
    the_sweep_finds_what_was_left,
    a_result_ends_the_game_and_reveals_its_seeds,
    callers_that_go_away_leave_the_writer_working,
    commands_that_wait_together_stand_or_fall_alone,
);
