#ifndef PLI_BASE_TIMER_H
#define PLI_BASE_TIMER_H

// Seconds of a clock that only goes forward.
double pli_seconds(void);

#endif
