/** What has hurt other servers, done to this one over real sockets; see docs/SECURITY.md. */
@NullMarked
package dev.peregrine.server.attack;

import org.jspecify.annotations.NullMarked;
