//! The exact sign test.

/// The probability of at least `wins` heads in `wins + losses` throws of a fair
/// coin: the one-sided exact sign test, which for pairs of yes and no is
/// McNemar's. 1 where there is nothing to compare.
#[must_use]
pub fn sign_test(wins: usize, losses: usize) -> f64 {
    let throws = wins + losses;
    if wins == 0 {
        return 1.0;
    }
    // The logarithm of C(throws, wins) / 2^throws, and from there downwards.
    let mut log = -(throws as f64) * std::f64::consts::LN_2;
    for i in 1..=losses {
        log += ((wins + i) as f64).ln() - (i as f64).ln();
    }
    let (mut term, mut sum) = (1.0, 1.0);
    for heads in wins + 1..=throws {
        term *= (throws - heads + 1) as f64 / heads as f64;
        sum += term;
    }
    (log + f64::ln(sum)).exp().min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sums of binomial coefficients, counted by hand.
    #[test]
    fn tails_of_a_fair_coin() {
        for (wins, losses, expected) in [
            (0, 0, 1.0),
            (0, 5, 1.0),
            (1, 0, 0.5),
            (5, 0, 1.0 / 32.0),
            (1, 1, 0.75),
            (8, 2, 56.0 / 1024.0),
            (9, 1, 11.0 / 1024.0),
            (15, 5, 21_700.0 / 1_048_576.0),
            (40, 0, 2f64.powi(-40)),
        ] {
            let found = sign_test(wins, losses);
            assert!(
                (found / expected - 1.0).abs() < 1e-9,
                "{wins} against {losses}: {found}"
            );
        }
    }

    #[test]
    fn many_throws_neither_overflow_nor_vanish_at_the_middle() {
        let half = sign_test(5_000, 5_000);
        assert!((0.5..0.51).contains(&half), "{half}");
        assert_eq!(sign_test(20_000, 0), 0.0);
        assert!(sign_test(600, 400) > 0.0);
    }
}
