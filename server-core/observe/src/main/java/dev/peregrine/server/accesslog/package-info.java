/** The access log: a line for each exchange and each rejected request, in a file. */
@NullMarked
package dev.peregrine.server.accesslog;

import org.jspecify.annotations.NullMarked;
