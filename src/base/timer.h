// A clock for the times of stages.
#ifndef PLI_BASE_TIMER_H
#define PLI_BASE_TIMER_H

// Returns the seconds of a monotonic clock.
double pli_seconds(void);

#endif
