/** Tests of what an older Java loads. */
@NullMarked
package dev.peregrine.spring.boot.java;

import org.jspecify.annotations.NullMarked;
