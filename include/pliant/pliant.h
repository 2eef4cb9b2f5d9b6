/// Pliant: position-based dynamics for deformable surfaces. Includes all headers of the core library.
#ifndef PLIANT_PLIANT_H
#define PLIANT_PLIANT_H

#include "attachment.h"
#include "attribute.h"
#include "base.h"
#include "check.h"
#include "collider.h"
#include "constraint_type.h"
#include "generator.h"
#include "constraints.h"
#include "contact.h"
#include "deformable.h"
#include "grab.h"
#include "handles.h"
#include "descriptor.h"
#include "material.h"
#include "math.h"
#include "mesh.h"
#include "placing.h"
#include "query.h"
#include "rigid.h"
#include "shape.h"
#include "state.h"
#include "tearing.h"
#include "world.h"

#endif
