// The folder of the scenes that come with the program, and scenes and meshes in it by their names.
#ifndef PLI_CLI_SHIPPED_SCENES_H
#define PLI_CLI_SHIPPED_SCENES_H

// The first folder that exists of PLIANT_SCENES, those beside the program as it is installed and as it is built, and ./scenes. Paths go
// from the program, so that what was installed can be moved. To be freed; null where there is none.
char *pli_cli_shipped_folder(void);
// The scene that a path means which names no file: the path with .json where it has no extension, or the shipped scene of a relative one,
// as of first, first.json or scenes/first.json. To be freed; null where there is none.
char *pli_cli_named_scene(const char *path);
// The shipped mesh that a relative path means which names no file, as of spot.obj or scenes/meshes/spot.obj. To be freed; null where there
// is none.
char *pli_cli_named_mesh(const char *path);

#endif
