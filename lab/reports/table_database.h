// A table of comma-separated values as a table of an SQLite database.
#ifndef PLI_LAB_TABLE_DATABASE_H
#define PLI_LAB_TABLE_DATABASE_H

#include <pliant/base.h>

// Writes the table, whose first line contains the column names, as "points" into a new database, through a temporary name and a rename.
// Numbers are stored as numbers, except in the columns id, hash, status and message. Errors: FILE, UNSUPPORTED without SQLite.
pli_status pli_lab_table_to_database(const char *table, const char *path, pli_error *error);

#endif
