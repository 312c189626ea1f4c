/** Content on its way from the server to a listener, as content codings and forms pass it on. */
@NullMarked
package dev.peregrine.http.arriving;

import org.jspecify.annotations.NullMarked;
