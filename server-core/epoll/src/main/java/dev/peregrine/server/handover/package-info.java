/** The hand-over of listening sockets from one process to the next, and those of systemd. */
@NullMarked
package dev.peregrine.server.handover;

import org.jspecify.annotations.NullMarked;
