// The folder of the shipped scenes, and scenes and meshes in it by name.
#ifndef PLI_CLI_SHIPPED_SCENES_H
#define PLI_CLI_SHIPPED_SCENES_H

// The first existing folder of PLIANT_SCENES, the folders relative to the installed and to the built program, and ./scenes. Paths are
// relative to the program, so that an installation can be moved. To be freed; null if there is none.
char *pli_cli_shipped_folder(void);
// The scene for a path that is not an existing file: the path with .json if it has no extension, or the shipped scene for a relative
// path, such as first, first.json or scenes/first.json. To be freed; null if there is none.
char *pli_cli_named_scene(const char *path);
// The shipped mesh for a relative path that is not an existing file, such as spot.obj or scenes/meshes/spot.obj. To be freed; null if
// there is none.
char *pli_cli_named_mesh(const char *path);

#endif
