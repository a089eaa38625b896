import { everyGeneration } from './fixed-sessions.js';

// A spec runs this program with another time zone and language, and compares the output with its own.
process.stdout.write(await everyGeneration());
