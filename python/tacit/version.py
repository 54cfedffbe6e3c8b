version = "0.1.0"  # the library's, from the file VERSION at the top of the tree
