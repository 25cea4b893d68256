"""What the interpreter works on: values, lists, library types, meshes."""
