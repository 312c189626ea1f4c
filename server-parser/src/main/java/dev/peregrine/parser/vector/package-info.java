/** The vector path: the only package that knows the Vector API. */
@NullMarked
package dev.peregrine.parser.vector;

import org.jspecify.annotations.NullMarked;
