//! picket
fn main(){}
