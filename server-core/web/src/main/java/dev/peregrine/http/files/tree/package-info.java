/** The files below a directory, which no path may leave. */
@NullMarked
package dev.peregrine.http.files.tree;

import org.jspecify.annotations.NullMarked;
