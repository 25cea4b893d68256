"""What is known of variants: trials, their statistics, and the database of all of them."""
