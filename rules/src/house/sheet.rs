//! The sheet itself: every switch with its rules, its choices and their plain words.
//!
//! The first choice of a switch is our ruling. A switch or a choice that a game may have been made with is never taken out
//! or renamed: the game could not be read again.

use super::{Choice, Kind, NoChoice, Switch};
use crate::catalogue::*;

sheet! {
    // ------------------------------------------------------------------ what the book calls optional

    /// Whether artillery fire is harder to stand.
    Optional artillery_fired_on_plus_one: ArtilleryFiredOn [MOR_62] {
        /// Its modifiers of flank, rear and disorder are those of any fire.
        Off = "off",
        /// Each of its modifiers of flank, rear and disorder is one higher.
        On = "on",
    }
    /// Whether units out of command may act by themselves.
    Optional self_activation: SelfActivation [CMD_11] {
        /// They may not.
        Off = "off",
        /// With an enemy in sight and near at the start of the turn, by a competence roll.
        On = "on",
    }
    /// Whether commanders may give only so many different orders.
    Optional order_limits: OrderLimits [CMD_12] {
        /// As many as they like.
        Off = "off",
        /// A brigade commander as many as his level, at least one.
        On = "on",
    }
    /// Whether leaders may lead charges.
    Optional lead_charge: LeadCharge [LEAD_14] {
        /// They may not.
        Off = "off",
        /// A leader may lead a charge: one better in it, and as exposed as in a melee.
        On = "on",
    }
    /// By what a leader's benefit goes.
    Optional leader_benefit: LeaderBenefit [LEAD_05] {
        /// By his level.
        Level = "level",
        /// By his post: brigade 1, division 2, corps 3.
        Rank = "rank",
    }
    /// Whom a leader helps.
    Optional benefit_own_command_only: OwnCommandOnly [LEAD_09] {
        /// Any friendly unit in his reach.
        Off = "off",
        /// Only units of his own command.
        On = "on",
    }
    /// How a lost division or corps commander is replaced.
    Optional replace_division: ReplaceDivision [LEAD_20] {
        /// By a roll.
        Roll = "roll",
        /// At once.
        Automatic = "automatic",
        /// Not at all.
        Never = "never",
    }
    /// By what artillery checks its morale.
    Optional artillery_checks: ArtilleryChecks [ARTY_14, MOR_64] {
        /// Each battery by itself.
        Battery = "battery",
        /// Three or more contiguous batteries as one battalion.
        Battalion = "battalion",
    }
    /// Whether broken ground hides. It matters once hidden movement is played.
    Optional obscuring: Obscuring [HID_34] {
        /// It does not.
        Off = "off",
        /// It hides what stands in it.
        On = "on",
    }
    /// Whether there is brush to make abatis of. It matters once obstacles are built in play.
    Optional brush: Brush [OBS_03] {
        /// There is.
        On = "on",
        /// There is none.
        Off = "off",
    }
    /// Whether fortress guns may run out of ammunition.
    Optional fortress_guns_run_out: FortressGunsRunOut [ARTY_55] {
        /// They have all they need.
        Off = "off",
        /// By all sixes, like other guns.
        On = "on",
    }

    // ------------------------------------------------------------------ two numbers in the book

    /// What breechloaders and repeaters take off fire at the men who load them lying down.
    Number breechloader_target: BreechloaderTarget [TAC_04] {
        /// 2, as the table prints twice.
        MinusTwo = "minus_2",
        /// 1, as the text says.
        MinusOne = "minus_1",
    }
    /// What disorder adds to fire at men on foot.
    Number disorder_target: DisorderTarget [FORM_28] {
        /// 3, by the chart and two places of the text.
        PlusThree = "plus_3",
        /// 4, by two sentences of the charge chapter.
        PlusFour = "plus_4",
    }
    /// What disorder adds to fire at mounted cavalry.
    Number cavalry_disorder_target: CavalryDisorderTarget [CAVC_44] {
        /// 6, by the chart.
        PlusSix = "plus_6",
        /// 5, by the example.
        PlusFive = "plus_5",
    }
    /// What a march column on foot adds to fire at it.
    Number march_column_target: MarchColumnTarget [FORM_25] {
        /// 3, by the chart and the chapter on formations.
        PlusThree = "plus_3",
        /// 2, by the chapter on enfilade.
        PlusTwo = "plus_2",
    }
    /// Where the 2 of a dismounted line counts.
    Number dismounted_line: DismountedLine [CAV_11] {
        /// Both when it fires and when it is fired at.
        Both = "both",
        /// Only when it fires.
        AsFirer = "as_firer",
        /// Only when it is fired at.
        AsTarget = "as_target",
    }
    /// What a fence or wall in the open costs men on foot to cross.
    Number fence_cost: FenceCost [MOVE_08, MV_06] {
        /// 1 inch; horsemen and guns 2.
        FootOne = "foot_1",
        /// 2 inches, like everybody.
        AllTwo = "all_2",
    }
    /// What dismounting costs.
    Number dismount_cost: DismountCost [MOVE_10, MV_11, CAV_18] {
        /// A quarter of the move, green troops a half.
        Quarter = "quarter",
        /// A half, green troops the whole.
        Half = "half",
    }
    /// How a wheel is measured.
    Number wheel_measure: WheelMeasured [MV_19] {
        /// Along the chord of the moving end's way.
        Chord = "chord",
        /// Along its arc.
        Arc = "arc",
    }
    /// How near the batteries of one battalion must be to fire as one.
    Number battalion_gap: BattalionGap [ARTY_16] {
        /// 2 inches in open or broken ground, 1 in woods or rough.
        TwoInches = "2_inches",
        /// 1 inch everywhere, like any batteries.
        OneInch = "1_inch",
    }
    /// Whether field guns get new canister at a wagon.
    Number canister_supply: CanisterSupply [AMMO_10] {
        /// A turn at a wagon restores it.
        AtWagons = "at_wagons",
        /// Two charges have to last for the battle.
        PerBattle = "per_battle",
    }
    /// What friends in front take off a morale point.
    Number behind_friendlies: BehindFriendlies [MOR_55] {
        /// 4, by three lists and two examples.
        MinusFour = "minus_4",
        /// 5, by one summary.
        MinusFive = "minus_5",
    }
    /// How many units a level 1 leader helps from woods or rough ground.
    Number leader_in_woods: LeaderInWoods [LEAD_08] {
        /// One: leaders help one fewer there, but at least one.
        AtLeastOne = "at_least_1",
        /// None: one fewer is none.
        OneFewer = "1_fewer",
    }
    /// What being hit while forming or on Conditional Hold adds to the checks of a fire.
    Number forming_under_fire: FormingUnderFire [MOR_58] {
        /// 1 each, by the chart.
        PlusOne = "plus_1",
        /// Nothing: the summary leaves it out.
        Nothing = "nothing",
    }
    /// How far troops without an officer go back when they become shaken.
    Number shaken_dice: ShakenDice [SHK_15, SHK_12, QRC_15] {
        /// By arm: mounted cavalry two dice, limbered guns twice one die.
        ByArm = "by_arm",
        /// One die for everybody, as the reference chart has it.
        OneDie = "1_die",
    }
    /// What a hit on an officer does.
    Number officer_hit: OfficerHit [OFF_07, QRC_13] {
        /// A further die decides between wound and death.
        Rolled = "rolled",
        /// It kills, as the reference chart says.
        Kills = "kills",
    }
    /// Whether the 12-pounder rifles among the uncommon field guns are heavy.
    Number heavy_field_guns: HeavyFieldGuns [ARTY_51, ARTY_50] {
        /// The three of them are.
        TwelvePounders = "12_pounders",
        /// They are field guns like the others.
        None = "none",
    }
    /// What 12 figures kill with a roll of 16.
    Number crt_12_at_16: Crt12At16 [FIRE_14, FIRE_18] {
        /// 3, by two examples.
        Three = "3",
        /// 4, by the sheet from outside the book that has the whole table.
        Four = "4",
    }
    /// What disorder adds to the impact of mounted cavalry.
    Number cavalry_disorder_impact: CavalryDisorderImpact [CAVC_34, IDD_03] {
        /// 3, by the list of formations.
        PlusThree = "plus_3",
        /// 4, like any disordered unit.
        PlusFour = "plus_4",
    }
    /// Whether elite defenders volley closer.
    Number volley_elite: VolleyElite [CHG_32] {
        /// They take 1 off the die.
        MinusOne = "minus_1",
        /// They take nothing off it.
        Nothing = "nothing",
    }
    /// From how near a charge leaves no time to form.
    Number no_time_to_form: NoTimeToForm [CF_07] {
        /// Nearer than 4 inches, by the rule.
        FourInches = "4_inches",
        /// Nearer than 6 inches, by the example.
        SixInches = "6_inches",
    }
    /// How far beaten cavalry recoils.
    Number cavalry_recoil: CavalryRecoil [IDD_11, CAVC_42] {
        /// Two dice.
        TwoDice = "2_dice",
        /// One die, like infantry.
        OneDie = "1_die",
    }
    /// What dismounted cavalry adds to the impact that it supports.
    Number dismounted_support: DismountedSupport [CAVC_31] {
        /// It takes 1 off, which helps.
        MinusOne = "minus_1",
        /// It adds 1, as the line is printed.
        PlusOne = "plus_1",
    }

    // ------------------------------------------------------------------ two readings of the book

    /// Which fires of a First Fire unit have its +1.
    Ruling first_fire_bonus: FirstFireBonus [FIRE_19, FF_03] {
        /// That of phase 4 alone.
        PhaseFour = "phase_4",
        /// Every fire of the turn.
        EveryFire = "every_fire",
    }
    /// The odd half of the losses of disengaging and routed units.
    Ruling fleeing_losses: FleeingLosses [FIRE_32, FIRE_33, ROUT_09] {
        /// A die decides it.
        ByDie = "by_die",
        /// It is dropped.
        Down = "down",
    }
    /// How woods on the line shorten the range of guns.
    Ruling guns_through_woods: GunsThroughWoods [ARTY_29] {
        /// By the share of the line that lies in them.
        ByShare = "by_share",
        /// All ranges are halved, however short the stretch.
        Halved = "halved",
    }
    /// Whom fire hits that goes beyond its target.
    Ruling penetration_hits: PenetrationHits [PEN_06] {
        /// Whoever stands there.
        Everybody = "everybody",
        /// Only the side that was fired at.
        Enemies = "enemies",
    }
    /// What sharpshooters make of their target's formation.
    Ruling sharpshooter_targets: SharpshooterTargets [SHARP_07] {
        /// Nothing: neither what raises nor what lowers counts.
        IgnoreAll = "ignore_all",
        /// What lowers does not count, what raises does.
        IgnoreBenefits = "ignore_benefits",
    }
    /// Whether a second fire of the turn has the die for close range.
    Ruling second_fire_at_close: SecondFireAtClose [ADDF_11, MFIRE_05] {
        /// It has.
        Added = "added",
        /// It has not: two dice are meant to be all.
        None = "none",
    }
    /// Whose fire an infantry or cavalry officer helps.
    Ruling officer_fire: OfficerFire [LEAD_03, FIRE_27] {
        /// That of foot and horse.
        FootAndHorse = "foot_and_horse",
        /// That of infantry alone, which the text names.
        Foot = "foot",
    }
    /// When infantry fire enfilades a march column in part.
    Ruling column_partial: ColumnPartial [ENF_08] {
        /// When the column's length points at the firer, who has it not straight ahead.
        Spine = "spine",
        /// When either of the two conditions of a full enfilade is met.
        Either = "either",
    }
    /// Infantry behind its target's rear line that has it not straight ahead.
    Ruling infantry_rear: InfantryRear [ENF_10] {
        /// Partial flank.
        Partial = "partial",
        /// Rear, as with a battery.
        Rear = "rear",
    }
    /// To whom a unit in woods gives itself away by firing.
    Ruling firing_reveals: FiringReveals [VIS_08] {
        /// To the unit that it fired at.
        Target = "target",
        /// To the whole enemy side.
        Side = "side",
    }
    /// Whether a rout, a loss or a fallen officer must be seen to shake.
    Ruling sightings: Sightings [MOR_24, QRC_14] {
        /// Within 6 inches and in sight.
        Seen = "seen",
        /// Within 6 inches, seen or not.
        Within = "within",
    }
    /// What routed units do not mind seeing.
    Ruling routed_viewers: RoutedViewers [MOR_26] {
        /// Routs, and units that vanish.
        RoutsAndLosses = "routs_and_losses",
        /// Routs alone.
        Routs = "routs",
    }
    /// Woods and other cover in a morale point.
    Ruling woods_and_cover: WoodsAndCover [MOR_52] {
        /// Both count.
        Added = "added",
        /// The better of them counts.
        Best = "best",
    }
    /// Fire on the rear of a disordered unit, in its morale point.
    Ruling rear_of_disorder: RearOfDisorder [MOR_57] {
        /// Disorder and rear both count.
        Added = "added",
        /// The rear counts in place of the disorder.
        Instead = "instead",
    }
    /// Which modifiers of fire spare the morale of disengaging and routed units.
    Ruling fleeing_morale: FleeingMorale [MOR_61] {
        /// All of them.
        All = "all",
        /// Flank and rear alone.
        FlankAndRear = "flank_and_rear",
    }
    /// How near the officer must be who holds a unit that becomes shaken.
    Ruling officer_holds: OfficerHolds [SHK_01] {
        /// Within his benefit radius.
        Radius = "radius",
        /// Within the radius of a level 1 leader, one inch, whatever his own.
        OneInch = "1_inch",
    }
    /// A natural 2 in the rally attempt of a shaken unit.
    Ruling rally_two: RallyTwo [RALLY_24] {
        /// It routs.
        Routs = "routs",
        /// It stays shaken: failing to rally makes nothing worse.
        Stays = "stays",
    }
    /// A brigade whose commander is wounded or fallen.
    Ruling orphaned_brigade: OrphanedBrigade [CMD_10] {
        /// Out of command until he is back or replaced, or a superior has taken it over.
        Out = "out",
        /// Each regiment is in command within reach of a superior.
        Superior = "superior",
    }
    /// Whose BMP a division commander must beat to find a brigade a new commander.
    Ruling second_attempt: SecondAttempt [LEAD_19] {
        /// That of the regiment he rode to.
        RodeTo = "rode_to",
        /// That of the best regiment of the brigade.
        Best = "best",
    }
    /// The command radius over mixed ground.
    Ruling mixed_ground: MixedGround [CMD_01] {
        /// Each inch counts by its own ground.
        Weighed = "weighed",
        /// All of it counts as the hardest ground on the way.
        Hardest = "hardest",
    }
}
