/** Values by the host that a request names. */
@NullMarked
package dev.peregrine.http.host;

import org.jspecify.annotations.NullMarked;
