/** Tests of the sockets of systemd. */
@NullMarked
package dev.peregrine.server.handover;

import org.jspecify.annotations.NullMarked;
