package rounds
