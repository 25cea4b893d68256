"""What programs are tuned on, told apart by figures of their graphs."""
