/// Pliant, deprecated: names of version 0.1 that have been replaced. The next version removes them.
///
/// Headers with replaced names include this file at their end. Old code then compiles, with a warning for each old name:
///
///     pli_world_deformable(world, i)   ->  pli_world_deformable_at(world, i)
///
/// Renamed fields of structs have no old name; CHANGELOG.md lists them. Define PLI_NO_DEPRECATED to turn each remaining use
/// of an old name into an error.
#if !defined(PLI_NO_DEPRECATED)

#ifdef __cplusplus
extern "C" {
#endif

/* ---- pliant/mesh.h ---- */
#ifdef PLIANT_OLD_NAMES_OF_MESH
#undef PLIANT_OLD_NAMES_OF_MESH

PLI_DEPRECATED("use pli_mesh_get_report")
static inline const pli_mesh_report *pli_mesh_report_get(const pli_mesh *mesh) { return pli_mesh_get_report(mesh); }

#endif
/* ---- pliant/world.h and the headers that it includes ---- */
#ifdef PLIANT_OLD_NAMES_OF_WORLD
#undef PLIANT_OLD_NAMES_OF_WORLD

#define PLI_GUARANTEE_ADVANCEMENT PLI_CCD_ADVANCEMENT
#define PLI_GUARANTEE_BOUNDS PLI_CCD_BOUNDS
#define PLI_GUARANTEE_OFF PLI_CCD_OFF
#define PLI_GUARANTEE_COUNT PLI_CCD_COUNT

PLI_DEPRECATED("use pli_ccd") typedef pli_ccd pli_guarantee;
PLI_DEPRECATED("use pli_topology_change") typedef pli_topology_change pli_remap;
PLI_DEPRECATED("use pli_topology_callback") typedef pli_topology_callback pli_remap_callback;

PLI_DEPRECATED("use pli_ccd_name")
static inline const char *pli_guarantee_name(pli_ccd guarantee) { return pli_ccd_name(guarantee); }

PLI_DEPRECATED("use pli_world_attach_lifetime")
static inline pli_status pli_world_keep(pli_world *world, void *thing, void (*destroy)(void *thing), pli_error *error)
{
    return pli_world_attach_lifetime(world, thing, destroy, error);
}

PLI_DEPRECATED("use pli_world_set_topology_callback")
static inline void pli_world_set_remap(pli_world *world, pli_topology_callback callback, void *user)
{
    pli_world_set_topology_callback(world, callback, user);
}

PLI_DEPRECATED("use pli_world_set_cooked")
static inline pli_status pli_world_use_cooked(pli_world *world, const void *buffer, size_t size, pli_error *error)
{
    return pli_world_set_cooked(world, buffer, size, error);
}

PLI_DEPRECATED("use pli_world_deformable_at")
static inline pli_deformable pli_world_deformable(const pli_world *world, int32_t i)
{
    return pli_world_deformable_at(world, i);
}

PLI_DEPRECATED("use pli_world_constraint_set_at")
static inline pli_constraint_set pli_world_constraint_set(const pli_world *world, int32_t i)
{
    return pli_world_constraint_set_at(world, i);
}

PLI_DEPRECATED("use pli_world_attachment_at")
static inline pli_attachment pli_world_attachment(const pli_world *world, int32_t i)
{
    return pli_world_attachment_at(world, i);
}

PLI_DEPRECATED("use pli_world_collider_at")
static inline pli_collider pli_world_collider(const pli_world *world, int32_t i)
{
    return pli_world_collider_at(world, i);
}

PLI_DEPRECATED("use pli_deformable_rest_mesh")
static inline const pli_mesh *pli_deformable_mesh(const pli_world *world, pli_deformable deformable)
{
    return pli_deformable_rest_mesh(world, deformable);
}

PLI_DEPRECATED("use pli_deformable_get_mesh")
static inline pli_status pli_deformable_current_mesh(pli_world *world, pli_deformable deformable, const pli_mesh **mesh,
                                                     pli_error *error)
{
    return pli_deformable_get_mesh(world, deformable, mesh, error);
}

PLI_DEPRECATED("use pli_constraint_set_get_info")
static inline pli_status pli_constraint_set_info_get(const pli_world *world, pli_constraint_set set,
                                                     pli_constraint_set_info *info, pli_error *error)
{
    return pli_constraint_set_get_info(world, set, info, error);
}

PLI_DEPRECATED("use pli_constraint_set_read_parameter")
static inline pli_status pli_constraint_set_parameter(const pli_world *world, pli_constraint_set set, const char *name,
                                                      double *value, pli_error *error)
{
    return pli_constraint_set_read_parameter(world, set, name, value, error);
}

PLI_DEPRECATED("use pli_constraint_set_write_parameter")
static inline pli_status pli_constraint_set_set_parameter(pli_world *world, pli_constraint_set set, const char *name,
                                                          double value, pli_error *error)
{
    return pli_constraint_set_write_parameter(world, set, name, value, error);
}

PLI_DEPRECATED("use pli_collider_get_def")
static inline pli_status pli_collider_get(const pli_world *world, pli_collider collider, pli_collider_def *def,
                                          pli_error *error)
{
    return pli_collider_get_def(world, collider, def, error);
}

#endif
/* ---- pliant/rigid.h ---- */
#ifdef PLIANT_OLD_NAMES_OF_RIGID
#undef PLIANT_OLD_NAMES_OF_RIGID

PLI_DEPRECATED("use pli_world_rigid_body_at")
static inline pli_rigid_body pli_world_rigid_body(const pli_world *world, int32_t i)
{
    return pli_world_rigid_body_at(world, i);
}

PLI_DEPRECATED("use pli_rigid_body_take_change")
static inline pli_status pli_rigid_body_change_take(pli_world *world, pli_rigid_body body, pli_rigid_change *change,
                                                    pli_error *error)
{
    return pli_rigid_body_take_change(world, body, change, error);
}

#endif
/* ---- pliant/mesh_file.h ---- */
#ifdef PLIANT_OLD_NAMES_OF_MESH_FILE
#undef PLIANT_OLD_NAMES_OF_MESH_FILE

PLI_DEPRECATED("use pli_mesh_import_def") typedef pli_mesh_import_def pli_mesh_import;

PLI_DEPRECATED("use pli_mesh_import_def_default")
static inline pli_mesh_import_def pli_mesh_import_default(void) { return pli_mesh_import_def_default(); }

#endif
/* ---- pliant/scene.h ---- */
#ifdef PLIANT_OLD_NAMES_OF_SCENE
#undef PLIANT_OLD_NAMES_OF_SCENE

PLI_DEPRECATED("use pli_scene_diagnostic") typedef pli_scene_diagnostic pli_scene_message;

PLI_DEPRECATED("use pli_scene_get_view")
static inline pli_scene_view pli_scene_view_get(const pli_scene *scene) { return pli_scene_get_view(scene); }

PLI_DEPRECATED("use pli_scene_get_look")
static inline pli_scene_look pli_scene_look_get(const pli_scene *scene, int32_t deformable)
{
    return pli_scene_get_look(scene, deformable);
}

#endif

#ifdef __cplusplus
}
#endif
#endif
