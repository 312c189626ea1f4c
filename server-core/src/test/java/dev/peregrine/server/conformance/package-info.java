/** The RFCs, held against the server from outside. */
@NullMarked
package dev.peregrine.server.conformance;

import org.jspecify.annotations.NullMarked;
