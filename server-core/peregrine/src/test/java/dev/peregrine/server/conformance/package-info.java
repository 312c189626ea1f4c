/** Tests of the server against the RFCs, over its connections. */
@NullMarked
package dev.peregrine.server.conformance;

import org.jspecify.annotations.NullMarked;
