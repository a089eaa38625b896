import { everyGeneration } from './fixed-sessions.js';

// Run in a place with another time zone and language, it is to print the same.
process.stdout.write(await everyGeneration());
