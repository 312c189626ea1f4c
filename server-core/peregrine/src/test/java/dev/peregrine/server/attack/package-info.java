/**
 * Attacks that have hurt other servers, against this one over real sockets; see docs/SECURITY.md.
 */
@NullMarked
package dev.peregrine.server.attack;

import org.jspecify.annotations.NullMarked;
