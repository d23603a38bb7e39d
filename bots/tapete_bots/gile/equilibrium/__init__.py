"""A strategy near equilibrium for heads-up Gilé: tree, training, exact best response, and its bot."""
