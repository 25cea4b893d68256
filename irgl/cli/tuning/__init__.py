"""irglc tune and irglc report."""
