import { reportedByClient } from './reported-by-client.js';

/** The client told that the page does not fill the screen any more. */
export const fullscreenExited = reportedByClient('fullscreen_exited', 'fullscreen.exited');
