@NullMarked
package dev.peregrine.spring;

import org.jspecify.annotations.NullMarked;
