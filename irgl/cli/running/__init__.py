"""What irglc run gives a program beside its options, and takes from it beside its results."""
