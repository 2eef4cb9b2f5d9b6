/// Pliant: position-based dynamics for things that bend. The core library, whole.
#ifndef PLIANT_PLIANT_H
#define PLIANT_PLIANT_H

#include "base.h"
#include "constraint.h"
#include "contact.h"
#include "mesh.h"
#include "rigid.h"
#include "shape.h"
#include "world.h"

#endif
